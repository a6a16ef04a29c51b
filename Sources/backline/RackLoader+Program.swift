import ArgumentParser
import AudioUnits
import RackFiles
import RackModel

extension RackLoader {
  /// Loads a rack. Writes warnings to standard error.
  ///
  /// - Throws: `Failure` with every error of the file.
  static func rack(
    _ name: String, automation: String? = nil, catalogue: ComponentCatalogue, mayMiss: Bool = false,
    playsLive: Bool = false
  ) throws -> CheckedRack {
    let (rack, diagnostics) = adding(
      automation,
      to: load(name, catalogue: catalogue, mayMiss: mayMiss, playsLive: playsLive),
      catalogue: catalogue)
    guard let rack else { throw Failure(diagnostics) }
    for diagnostic in diagnostics { Terminal.complain("\(diagnostic)") }
    return rack
  }

  static func plan(
    _ name: String, automation: String? = nil, catalogue: ComponentCatalogue
  ) throws -> Plan {
    try rack(name, automation: automation, catalogue: catalogue).plan
  }
}
