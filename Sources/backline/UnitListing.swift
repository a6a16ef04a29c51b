import UnitModel

/// A unit as `--json` shows it.
struct UnitListing: Encodable {
  struct Parameter: Encodable {
    var keyPath: String
    var name: String
    var unit: String
    var minimum: Float
    var maximum: Float
    var defaultValue: Float
    var values: [String]
    var isRampable: Bool
    var isPerInputBus: Bool
  }

  struct Bus: Encodable {
    var name: String
    var channels: Int
    var isOptional: Bool
  }

  var unit: String
  var name: String
  var manufacturer: String
  var version: String
  var summary: String
  var tags: [String]
  var hasMIDIInput: Bool
  var inputs: [Bus]
  var outputs: [Bus]
  var parameters: [Parameter]
  var properties: [String]
  var presets: [String]

  init(_ facts: UnitFacts) {
    unit = "\(facts.component)"
    name = facts.name
    manufacturer = facts.manufacturerName
    version = facts.versionText
    summary = facts.summary
    tags = facts.tags
    hasMIDIInput = facts.hasMIDIInput
    inputs = facts.inputBusses.map(Bus.init)
    outputs = facts.outputBusses.map(Bus.init)
    parameters = facts.parameters.map(Parameter.init)
    properties = facts.properties.map(\.identifier)
    presets = facts.factoryPresets.map(\.name)
  }
}

extension UnitListing.Bus {
  fileprivate init(_ bus: BusInfo) {
    self.init(name: bus.name, channels: bus.defaultChannelCount, isOptional: bus.isOptional)
  }
}

extension UnitListing.Parameter {
  fileprivate init(_ info: ParameterInfo) {
    self.init(
      keyPath: info.keyPath, name: info.name, unit: "\(info.unit)", minimum: info.minimum,
      maximum: info.maximum, defaultValue: info.defaultValue, values: info.valueStrings,
      isRampable: info.flags.contains(.rampable), isPerInputBus: info.isPerInputBus)
  }
}
