import AudioUnits
import Documents
import Foundation
import RackEngine
import RackFiles
import RackModel
import RackSession

/// Racks to test with: those that ship, and those written in a test.
package enum TestRacks {
  package static let catalogue = {
    let catalogue = ComponentCatalogue()
    catalogue.includeRacks()
    return catalogue
  }()

  package static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("racks")

  package static let drumLoop = folder.appendingPathComponent("sounds/drum-loop.flac").path

  /// By file name, without the suffix.
  package static let shipped: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".setlist.yaml") }
      .map { String($0.dropLast(5)) }.sorted()
  }()

  /// Those of them that sound comes into.
  package static let shippedWithInputs = shipped.filter {
    (try? plan(shipped: $0).inputs.isEmpty) == false
  }

  package struct Wrong: Error, CustomStringConvertible {
    package var description: String
    package init(description: String) { self.description = description }
  }

  /// The plan of a rack that ships, and all there is to say about its file.
  package static func check(shipped name: String) throws -> (plan: Plan?, diagnostics: [Diagnostic])
  {
    let file = folder.appendingPathComponent("\(name).yaml")
    let (plan, diagnostics) = checker(catalogue).check(try Data(contentsOf: file), file: file.path)
    return (plan, diagnostics)
  }

  package static func plan(shipped name: String) throws -> Plan {
    let (plan, diagnostics) = try check(shipped: name)
    guard let plan else { throw Wrong(description: "\(diagnostics)") }
    return plan
  }

  package static func plan(
    _ yaml: String, catalogue: ComponentCatalogue = catalogue
  ) throws -> Plan {
    let (plan, diagnostics) = checker(catalogue).check(Array(yaml.utf8), file: "test.yaml")
    guard let plan else { throw Wrong(description: "\(diagnostics)") }
    return plan
  }

  /// A rack with an input `in` and an output `out` of `channels` channels, and what lies between.
  package static func plan(channels: Int = 1, units: String, _ connections: String...) throws
    -> Plan
  {
    try plan(
      """
      rack: Test
      inputs: { in: { channels: \(channels) } }
      outputs: { out: { channels: \(channels) } }
      units:
      \(units.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
      connections:
      \(connections.map { "  - \($0)" }.joined(separator: "\n"))
      """)
  }

  package static func checker(
    _ catalogue: ComponentCatalogue = catalogue, folder: String = folder.path
  ) -> RackChecker {
    var checker = RackChecker(catalogue: catalogue, folder: folder) {
      FileManager.default.isReadableFile(atPath: $0)
    }
    checker.targets = Commands.targets
    return checker
  }
}
