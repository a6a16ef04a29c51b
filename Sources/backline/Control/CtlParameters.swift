import ArgumentParser
import RackEngine
import RackModel
import RackSession
import UnitModel

extension Ctl {
  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "What parameters are at: one, those of a unit, or all.")

    @Argument(help: "A parameter (echo.mix) or a unit (echo).", completion: .parametersAndUnits)
    var parameter: String?

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      if let parameter, parameter.contains(".") {
        let reading = try Terminal.reporting {
          try client.ask("get", ["parameter": parameter], for: ParameterReading.self)
        }
        return print(reading.text)
      }
      let listing = try Terminal.reporting { try client.ask("list", for: RackListing.self) }
      let units = listing.units.filter { parameter == nil || $0.name == parameter }
      if let parameter, units.isEmpty {
        // Says what is nearest.
        _ = try Terminal.reporting {
          try client.ask("get", ["parameter": "\(parameter).bypass"], for: ParameterReading.self)
        }
      }
      for unit in listing.missing where parameter == nil {
        print("\(unit.name)   MISSING: \(unit.reason)")
      }
      for unit in units {
        print("\(unit.name)   \(unit.title)" + (unit.preset.map { ", preset \($0)" } ?? ""))
        let width = unit.parameters.map(\.parameter.count).max() ?? 0
        for parameter in unit.parameters {
          let space = String(repeating: " ", count: width - parameter.parameter.count)
          print("  \(parameter.parameter)\(space)  \(parameter.text)")
        }
      }
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set a parameter or a bypass: echo.mix 30 %, echo.bypass on.")

    @Argument(help: "The parameter, as in echo.mix.", completion: .parameters)
    var parameter: String

    @Argument(parsing: .allUnrecognized, help: "The value, as a rack file has it.")
    var value: [String]

    @OptionGroup var rack: RackChoice

    func run() throws {
      try rack.perform(.set(parameter: parameter, value: Ctl.value(value)))
    }
  }

  struct Ramp: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move a parameter over a time: echo.mix 0 % --over 4s.")

    @Argument(help: "The parameter, as in echo.mix.", completion: .parameters)
    var parameter: String

    @Argument(parsing: .allUnrecognized, help: "The value to come to, as a rack file has it.")
    var value: [String] = []

    @Option(parsing: .upToNextOption, help: "How long it takes: 2s, 500 ms.")
    var over: [String]

    @OptionGroup var rack: RackChoice

    func validate() throws {
      if Ctl.value(words.value).isEmpty { throw ValidationError("give the value to come to") }
    }

    /// What follows the time is the value's.
    private var words: (value: [String], time: [String]) {
      let count = over.count > 1 && Ctl.isTime(over[0...1].joined(separator: " ")) ? 2 : 1
      return (Array(over.dropFirst(count)) + value, Array(over.prefix(count)))
    }

    func run() throws {
      try rack.perform(
        .ramp(
          parameter: parameter, value: Ctl.value(words.value),
          over: words.time.joined(separator: " ")))
    }
  }

  /// A value in several words; “--” ends the options before it.
  private static func value(_ words: [String]) -> String {
    words.drop { $0 == "--" }.joined(separator: " ")
  }

  private static func isTime(_ text: String) -> Bool {
    (try? Quantity.number(text, in: .seconds, name: "over")) != nil
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set a parameter or a bypass to its default.")

    @Argument(help: "The parameter, as in echo.mix.", completion: .parameters)
    var parameter: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.reset(parameter: parameter)) }
  }

  struct Scene: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Recall a scene of the rack: what it names is set at once.")

    @Argument(help: "The scene's name.", completion: .runningScenes)
    var name: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.scene(name)) }
  }

  struct LoadPreset: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "preset", abstract: "Load a preset into a unit.")

    @Argument(help: "The unit, as the rack calls it.", completion: .runningUnits)
    var unit: String

    @Argument(help: "The preset's name.")
    var preset: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.edit(.loadPreset(name: unit, preset: preset))) }
  }
}
