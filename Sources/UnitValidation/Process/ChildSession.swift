import AudioUnits
import CUnit
import CUnits
import Glibc
import UnitModel

/// The side of the process that loads a unit and runs checks on it.
package struct ChildSession {
  private let library: bl_unit_library
  private let watchesCalls: Bool
  private let send: (ChildMessage) -> Void

  /// The built-in units where there is no path. `watchesCalls`: something lies in the way of memory
  /// and lock functions in this process.
  package init(
    libraryPath: String?, watchesCalls: Bool, send: @escaping (ChildMessage) -> Void
  ) throws {
    // A bare name would be looked for among the system's libraries.
    library =
      try libraryPath.map { path in
        try UnitLibrary.table(path.contains("/") ? path : "./\(path)", called: path)
      } ?? bl_built_in_units().pointee
    self.watchesCalls = watchesCalls
    self.send = send
  }

  package func list() {
    for index in 0..<Int(library.unit_count) {
      guard let descriptor = library.units[index] else {
        return send(.refused("unit \(index + 1) of its table is missing"))
      }
      let version = descriptor.pointee.abi_version
      if let problem = UnitLibrary.versionFault(version, of: "unit \(index + 1)") {
        return send(.refused(problem))
      }
      let facts = UnitFacts(descriptor.pointee)
      send(
        .unit(
          ListedUnit(
            index: index, component: "\(facts.component)", name: facts.name,
            version: facts.versionText)))
    }
  }

  package func run(_ checks: [Check], onUnit index: Int) {
    guard index < Int(library.unit_count), let descriptor = library.units[index] else {
      return send(.refused("it has no unit \(index)"))
    }
    for check in checks {
      send(.started(check: check.name))
      let subject = Subject(descriptor, watchesCalls: watchesCalls) { send(.note($0)) }
      send(.finished(CheckReport(check, check.run(on: subject))))
    }
  }
}
