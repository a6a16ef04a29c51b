import Documents
import UnitModel

/// A unit of the file with what the catalogue has for it.
struct ResolvedUnit {
  var name: String
  var position: SourcePosition
  /// Nil where the catalogue has no such unit, which has been said.
  var facts: UnitFacts?
  var inputBusCount = 0
  /// The width that the file asks of the output.
  var channels: Located<Int>?
  var parameters: [PlannedParameter] = []
  var properties: [PlannedProperty] = []
  var isBypassed = false
  var presetName: String?

  func planned(channels: ChannelCounts) -> PlannedUnit? {
    guard let facts else { return nil }
    return PlannedUnit(
      name: name, component: facts.component, inputChannelCounts: channels.inputs,
      outputChannelCounts: channels.outputs, parameters: parameters, properties: properties,
      isBypassed: isBypassed, presetName: presetName)
  }
}
