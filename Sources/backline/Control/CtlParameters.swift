import ArgumentParser
import RackEngine
import RackModel

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
      try rack.perform(.set(parameter: parameter, value: value.joined(separator: " ")))
    }
  }

  struct Ramp: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move a parameter over a time: echo.mix 0 % --over 4s.")

    @Argument(help: "The parameter, as in echo.mix.", completion: .parameters)
    var parameter: String

    @Argument(parsing: .allUnrecognized, help: "The value to come to, as a rack file has it.")
    var value: [String]

    @Option(help: "How long it takes: 2s, 500ms.")
    var over: String

    @OptionGroup var rack: RackChoice

    func run() throws {
      try rack.perform(
        .ramp(parameter: parameter, value: value.joined(separator: " "), over: over))
    }
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
