import ArgumentParser
import CCallWatch
import Foundation
import UnitValidation

/// The process in which `backline validate` loads a unit.
@main
struct BacklineValidator: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backline-validator",
    abstract: "Runs checks on a unit, for backline validate, which is what people call.")

  @Option(help: "A shared library with units; without, the built-in ones.")
  var library: String?

  @Option(help: "The unit's place in the library's table.")
  var unit = 0

  @Option(help: "Seconds of processor time.")
  var processorTime = 600

  @Flag(help: "Name the units and do nothing else.")
  var list = false

  @Argument(help: "Checks, by name.")
  var checks: [String] = []

  func run() throws {
    let output = Confinement.takeOutput()
    Confinement.endWithParent()
    Confinement.limit(processorTime: processorTime, sparesAddresses: bl_call_watch_works())
    let send = { (message: ChildMessage) in output.write(message.line) }
    do {
      let session = try ChildSession(
        libraryPath: library, watchesCalls: bl_call_watch_works(), send: send)
      if list { session.list() } else { session.run(checks.compactMap(Check.named), onUnit: unit) }
    } catch {
      send(.refused("\(error)"))
    }
    // Without the library's farewell: what was found is found.
    Foundation._exit(0)
  }
}
