import AudioUnits
import UnitModel

/// A preset in the output of `--json`.
struct PresetListing: Encodable {
  var unit: String
  var number: Int
  var name: String
  var version: String
  /// The values as text, by key path.
  var parameters: [String: String]
  var properties: [String: String]
  var file: String?

  init(_ entry: PresetLibrary.Entry, _ facts: UnitFacts) {
    unit = "\(facts.component)"
    number = entry.preset.number
    name = entry.preset.name
    version = UnitFacts.written(version: entry.state.version)
    parameters = entry.state.writtenParameters(for: facts)
    properties = entry.state.properties
    file = entry.path
  }
}
