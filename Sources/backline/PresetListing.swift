import AudioUnits
import UnitModel

/// A preset as `--json` shows it.
struct PresetListing: Encodable {
  var unit: String
  var number: Int
  var name: String
  var version: String
  /// As people write them, by key path.
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
