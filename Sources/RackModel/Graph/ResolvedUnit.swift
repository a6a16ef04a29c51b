import Documents
import UnitModel

/// A unit of the rack file with its description from the catalogue.
struct ResolvedUnit {
  let entry: Rack.Unit
  /// The unit's description; nil where the catalogue has no such unit, which has been reported.
  var facts: UnitFacts?
  var inputBusCount = 0
  /// The absolute paths of the files and folders that the unit may read.
  var grantedFiles: [String] = []
  /// The reference of the unit, with the absolute path of a bundle.
  var reference: UnitReference?
  var parameters: [PlannedParameter] = []
  var properties: [PlannedProperty] = []
  var missingFiles: [String] = []
  var presetName: String?

  init(_ entry: Rack.Unit) { self.entry = entry }

  var name: String { entry.name.value }
  var position: SourcePosition { entry.name.position }
  var isPipelined: Bool { entry.isPipelined?.value ?? false }

  func planned(channels: ChannelCounts) -> PlannedUnit? {
    guard let facts else { return nil }
    var bundle: String?
    if case .bundle(let path) = reference?.subject { bundle = path }
    return PlannedUnit(
      id: entry.id, name: name, component: facts.component, version: reference?.version,
      bundle: bundle,
      inputChannelCounts: channels.inputs, outputChannelCounts: channels.outputs,
      parameters: parameters, properties: properties, missingFiles: missingFiles,
      isBypassed: entry.isBypassed, spills: entry.spills, presetName: presetName,
      process: entry.process?.value, isPipelined: isPipelined, facts: facts)
  }
}
