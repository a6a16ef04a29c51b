import ArgumentParser
import RackModel
import UnitModel

/// Parsers of option values.
enum OptionValue {
  /// Parses a sample rate in Hz: `48000`, `48k`, `44.1 kHz`.
  static func rate(_ text: String) throws -> Int {
    let rate = try number(text, in: .hertz, name: "--rate")
    guard let whole = Int(exactly: (rate * 1000).rounded() / 1000) else {
      throw ValidationError("a sample rate is a whole number of Hz, as in 48000 or 44.1 kHz")
    }
    return whole
  }

  /// Parses a length in seconds, above 0: `10s`, `1500 ms`, `2 min`, `1:30`.
  static func length(_ text: String) throws -> Double {
    let seconds = try number(text, in: .seconds, name: "--length")
    guard seconds.isFinite, seconds > 0 else {
      throw ValidationError("write a time above 0, as in 10s, 1500ms, 2min or 1:30")
    }
    return seconds
  }

  /// Parses a tempo in beats per minute: `90`, `90 bpm`.
  static func tempo(_ text: String) throws -> Double {
    do {
      return Double(try Quantity.parse(text, for: RackChecker.tempoRange, name: "--tempo"))
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Parses a number of threads: `auto` or a number.
  static func threads(_ text: String) throws -> ThreadChoice {
    do {
      return try ThreadChoice(written: text)
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Parses a choice of process: `own`, `host` or `group NAME`.
  static func process(_ text: String) throws -> ProcessChoice {
    do {
      return try ProcessChoice(written: text)
    } catch {
      throw ValidationError(error.description + advice(error.suggestion))
    }
  }

  private static func number(
    _ text: String, in unit: ParameterUnit, name: String
  ) throws -> Double {
    do {
      return try Quantity.number(text, in: unit, name: name)
    } catch {
      throw ValidationError(
        error.description + advice(error.suggestion))
    }
  }
}
