import AudioUnits
import Foundation
import UnitModel

/// docs/reference/units/README.md: all units, with their uses.
package enum UnitIndex {
  /// Returns the page with its table renewed.
  package static func renewed(_ text: String) -> String {
    let rows = MeasuredUnit.all.map { measured in
      let facts = UnitFacts(measured.unit.facts)
      return [
        "[\(facts.name)](\(measured.pageName).md)", "`\(facts.component)`", facts.summary,
        facts.tags.joined(separator: ", "),
      ]
    }
    return UnitPage.renewed(
      text, with: [UnitPage.table([["Unit", "Code", "Effect", "Tags"]] + rows)])
  }

  package static func file(in folder: URL) -> URL { folder.appending(path: "README.md") }
}
