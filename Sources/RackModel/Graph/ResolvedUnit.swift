import Documents
import UnitModel

/// A unit of the file with its description from the catalogue.
struct ResolvedUnit {
  var name: String
  var position: SourcePosition
  /// Nil where the catalogue has no such unit, which has been said.
  var facts: UnitFacts?
  var inputBusCount = 0
  /// As the file names it.
  var reference: UnitReference?
  /// The width that the file asks of the output.
  var channels: Located<Int>?
  var parameters: [PlannedParameter] = []
  var properties: [PlannedProperty] = []
  var isBypassed = false
  var spills = false
  var presetName: String?
  /// Nil where the file leaves it open.
  var process: Located<ProcessChoice>?
  var isPipelined = false

  func planned(channels: ChannelCounts) -> PlannedUnit? {
    guard let facts else { return nil }
    var bundle: String?
    if case .bundle(let path) = reference?.subject { bundle = path }
    return PlannedUnit(
      name: name, component: facts.component, version: reference?.version, bundle: bundle,
      inputChannelCounts: channels.inputs,
      outputChannelCounts: channels.outputs, parameters: parameters, properties: properties,
      isBypassed: isBypassed, spills: spills, presetName: presetName, process: process?.value,
      isPipelined: isPipelined)
  }
}
