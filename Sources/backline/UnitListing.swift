import AudioUnits
import UnitModel

/// A unit in the output of `--json`.
struct UnitListing: Encodable {
  struct Parameter: Encodable {
    var keyPath: String
    var name: String
    var unit: String
    var unitName: String?
    var minimum: Float
    var maximum: Float
    var defaultValue: Float
    var values: [String]
    var isRampable: Bool
    var isPerInputBus: Bool
    var isMomentary: Bool
    var group: String?
    var dependentParameters: [String]
    var overviewRank: Int?
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
  var userTags: [String]
  var bundle: String?
  var architectures: [String]
  var customView: String?
  var allowsInProcess: Bool
  var needs: [String]
  var validation: String
  var hasMIDIInput: Bool
  var hasMIDIOutput: Bool
  /// The pairs of input and output channels: -1 for any number, the same on both sides; -2 for any number.
  var channelCapabilities: [[Int]]
  var inputs: [Bus]
  var outputs: [Bus]
  var parameters: [Parameter]
  var properties: [String]
  var presets: [String]

  init(_ component: Component) {
    let facts = component.facts
    unit = "\(facts.component)"
    name = facts.name
    manufacturer = facts.manufacturerName
    version = facts.versionText
    summary = facts.summary
    tags = facts.tags
    userTags = component.userTags
    bundle = component.bundle?.path
    architectures = component.architectures
    customView = component.customView
    allowsInProcess = component.allowsInProcess
    needs = component.needs.map(\.rawValue)
    validation = component.validation.rawValue
    hasMIDIInput = facts.hasMIDIInput
    hasMIDIOutput = component.hasMIDIOutput
    channelCapabilities = facts.channelCapabilities.map { [$0.input, $0.output] }
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
      keyPath: info.keyPath, name: info.name, unit: "\(info.unit)",
      unitName: info.unitName ?? info.unit.symbol, minimum: info.minimum,
      maximum: info.maximum, defaultValue: info.defaultValue, values: info.valueStrings,
      isRampable: info.flags.contains(.rampable), isPerInputBus: info.isPerInputBus,
      isMomentary: info.isMomentary, group: info.group,
      dependentParameters: info.dependentParameters, overviewRank: info.overviewRank)
  }
}
