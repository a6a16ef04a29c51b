import ArgumentParser
import AudioUnits
import CCallWatch
import Glibc
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
    let output = ParentLink.takeOutput()
    let send = { (message: ChildMessage) in
      var bytes = Array(message.line)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
      }
    }
    setpgid(0, 0)
    ParentLink.limit(processorTime: processorTime)
    // A sanitizer needs all of the address space.
    let memory: UInt64 = bl_call_watch_works() ? 8 << 30 : 0
    let confinement = UnitConfinement(
      libraryPaths: library.map { [$0] } ?? [],
      limits: (memory: memory, descriptors: 2048, fileSize: 64 << 20))
    if let missing = confinement.begin(writingRefusalsTo: output), list {
      send(.missingConfinement(missing))
    }
    ParentLink.endWithParent()
    do {
      let session = try ChildSession(
        libraryPath: library, watchesCalls: bl_call_watch_works(), send: send)
      if list { session.list() } else { session.run(checks.compactMap(Check.named), onUnit: unit) }
    } catch {
      send(.refused("\(error)"))
    }
    // Without the library's farewell: what was found is found.
    _exit(0)
  }
}
