import Documents
import UnitModel

/// A kind of MIDI 1.0 message that moves a control.
public struct ControlSource: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A 7-bit controller, 0 to 127.
    case controller(Int)
    /// A 14-bit controller by its coarse half, 0 to 31; the fine half is 32 higher.
    case fineController(Int)
    /// A non-registered parameter, 0 to 16383.
    case nonRegisteredParameter(Int)
    case pitchBend
    /// Channel pressure.
    case pressure
    /// The pressure of a key, 0 to 127.
    case keyPressure(Int)
    case note(Int)
    /// A program, 0 to 127.
    case program(Int)
  }

  /// A bank of programs, as controllers 0 and 32 choose it.
  public struct Bank: Sendable, Hashable {
    /// The value of controller 0, 0 to 127.
    public var coarse: Int
    /// The value of controller 32, 0 to 127; nil for any.
    public var fine: Int?
  }

  public var kind: Kind
  /// The bank of a program; nil for any bank.
  public var bank: Bank?
  /// The MIDI channel, 1 to 16; nil for all.
  public var channel: Int?
}

extension ControlSource {
  var isKey: Bool { if case .note = kind { true } else { false } }

  /// Whether one message can match both sources.
  func overlaps(_ other: ControlSource) -> Bool {
    func meet<Part: Equatable>(_ one: Part?, _ other: Part?) -> Bool {
      one == nil || other == nil || one == other
    }
    let joint = Self.joint(kind, other.kind)
    return meet(channel, other.channel) && meet(bank, other.bank)
      && (joint == kind || joint == other.kind)
  }

  /// Returns the kind of a control that sends messages of two kinds, such as the halves of a 14-bit
  /// controller; nil if the kinds belong to two controls.
  static func joint(_ one: Kind, _ other: Kind) -> Kind? {
    switch (one, other) {
    case (.fineController(let coarse), .controller(let number)),
      (.controller(let number), .fineController(let coarse)):
      number == coarse || number == coarse + 32 ? .fineController(coarse) : nil
    case (.controller(let first), .controller(let second))
    where abs(first - second) == 32 && min(first, second) < 32:
      .fineController(min(first, second))
    default: one == other ? one : nil
    }
  }

  /// Whether messages of this source can have a mode.
  func fits(_ mode: ControlMode) -> Bool {
    switch (mode, kind) {
    case (.absolute, _), (.toggle, _), (.latching, _), (_, .controller),
      (_, .nonRegisteredParameter):
      true
    default: false
    }
  }

  private static let words = ["cc", "nrpn", "bend", "pressure", "note", "program"]
  static let examples =
    "cc 1, cc 1/33, nrpn 1234, bend, pressure, pressure C4, note C4, program 1"

  /// Returns the port's name, which may contain spaces, of a source in a rack file.
  static func port(of text: String, among ports: [String]) -> String {
    ports.filter { text == $0 || text.hasPrefix("\($0) ") }.max { $0.count < $1.count }
      ?? text.prefix { $0 != " " }.description
  }

  /// - Parameter text: the source in a rack file: `keys cc 1`.
  /// - Throws: `Refusal` for an unknown kind of message, or a number out of range.
  init(written text: String, from port: String) throws(Refusal) {
    do throws(Refusal) {
      try self.init(written: text.dropFirst(port.count).split(separator: " "))
    } catch {
      throw Refusal("“\(text)”: \(error.reason)", suggestion: error.suggestion)
    }
  }

  /// Reads the words after a port's name: `cc 1`, `bend channel 2`.
  init(written words: [Substring]) throws(Refusal) {
    var words = words
    var channel: Int?
    if words.count >= 2, words[words.count - 2] == "channel" {
      channel = try Self.number(words[words.count - 1], in: 1...16, of: "channel")
      words.removeLast(2)
    }
    if words.count >= 4, words[0] == "program", words[words.count - 2] == "bank" {
      bank = try Bank(written: String(words[words.count - 1]))
      words.removeLast(2)
    }
    guard let word = words.first else {
      throw Refusal("the kind of MIDI message is missing; write \(Self.examples)")
    }
    guard Self.words.contains(String(word)) else {
      throw Refusal(
        "“\(word)” is not a MIDI message that moves a control; write \(Self.examples)",
        suggestion: nearestWord(to: String(word), in: Self.words))
    }
    let numbers = words.dropFirst()
    guard numbers.count == (word == "bend" ? 0 : 1) || word == "pressure" && numbers.isEmpty else {
      throw Refusal("“\(words.joined(separator: " "))” is not one of \(Self.examples)")
    }
    self.channel = channel
    kind = try Self.kind(word, numbers.first)
  }

  private static func kind(_ word: Substring, _ text: Substring?) throws(Refusal) -> Kind {
    guard let text else { return word == "bend" ? .pitchBend : .pressure }
    switch word {
    case "cc":
      let halves = text.split(separator: "/", omittingEmptySubsequences: false)
      guard halves.count == 2 else {
        return .controller(try number(text, in: 0...127, of: "controller"))
      }
      let coarse = try number(halves[0], in: 0...31, of: "coarse half of a controller")
      guard Int(halves[1]) == coarse + 32 else {
        throw Refusal(
          "the fine half of controller \(coarse) is \(coarse + 32): cc \(coarse)/\(coarse + 32)")
      }
      return .fineController(coarse)
    case "nrpn":
      return .nonRegisteredParameter(try number(text, in: 0...16_383, of: "parameter"))
    case "program":
      // Program numbers in a file count from 1, as in the specification's tables.
      return .program(try number(text, in: 1...128, of: "program") - 1)
    case "pressure": return .keyPressure(try key(text))
    default: return .note(try key(text))
    }
  }

  private static let key = ParameterInfo(
    identifier: "key", name: "Key", unit: .midiNoteNumber, minimum: 0, maximum: 127,
    defaultValue: 60)

  static func key(_ text: Substring) throws(Refusal) -> Int {
    do {
      return Int(try Quantity.parse(String(text), for: key, name: "a key"))
    } catch {
      throw Refusal(error.reason, suggestion: error.suggestion)
    }
  }

  static func number(
    _ text: Substring, in range: ClosedRange<Int>, of what: String
  ) throws(Refusal) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Refusal("“\(text)” is not a \(what); write \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension ControlSource.Bank {
  /// Reads `1`, or `1/2` with the value of controller 32.
  package init(written text: String) throws(Refusal) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count <= 2 else {
      throw Refusal(
        "“\(text)” is not a bank; write 1 for the value of controller 0, or 1/2 with that of controller 32"
      )
    }
    coarse = try ControlSource.number(Substring(halves[0]), in: 0...127, of: "bank")
    fine =
      halves.count == 2
      ? try ControlSource.number(Substring(halves[1]), in: 0...127, of: "bank's fine half") : nil
  }
}

extension ControlSource.Bank: WrittenValue {
  public var description: String { "\(coarse)" + (fine.map { "/\($0)" } ?? "") }
}

/// The text of a source in a rack file, without the port.
extension ControlSource: CustomStringConvertible {
  public var description: String {
    let text =
      switch kind {
      case .controller(let number): "cc \(number)"
      case .fineController(let number): "cc \(number)/\(number + 32)"
      case .nonRegisteredParameter(let number): "nrpn \(number)"
      case .pitchBend: "bend"
      case .pressure: "pressure"
      case .keyPressure(let key): "pressure \(Quantity.format(Float(key), for: Self.key))"
      case .note(let key): "note \(Quantity.format(Float(key), for: Self.key))"
      case .program(let number):
        "program \(number + 1)" + (bank.map { " bank \($0)" } ?? "")
      }
    return channel.map { "\(text) channel \($0)" } ?? text
  }
}
