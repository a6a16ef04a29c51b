import ArgumentParser
import AudioUnits
import RackModel
import RackStage

extension RackLoader {
  /// The rack; what is wrong goes to standard error.
  static func rack(
    _ name: String, automation: String? = nil, catalogue: ComponentCatalogue, mayMiss: Bool = false
  ) throws -> CheckedRack {
    let (rack, diagnostics) = adding(
      automation, to: load(name, catalogue: catalogue, mayMiss: mayMiss), catalogue: catalogue)
    for diagnostic in diagnostics { Terminal.complain("\(diagnostic)") }
    guard let rack else { throw ExitCode.wrongRack }
    return rack
  }

  static func plan(
    _ name: String, automation: String? = nil, catalogue: ComponentCatalogue
  ) throws -> Plan {
    try rack(name, automation: automation, catalogue: catalogue).plan
  }
}
