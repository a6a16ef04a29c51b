import AudioUnits
import RackModel
import UnitModel

/// Everything that a rack has, as a person or a page would draw it.
public struct RackListing: Sendable, Codable {
  public struct Port: Sendable, Codable {
    public var name: String
    /// 0 for a MIDI port.
    public var channels: Int
  }

  public struct Unit: Sendable, Codable {
    public var name: String
    /// `aufx/dely/bkln`
    public var unit: String
    /// `Delay`
    public var title: String
    public var preset: String?
    public var parameters: [Parameter]
  }

  public struct Parameter: Sendable, Codable {
    /// `echo.mix`
    public var parameter: String
    /// `Mix`
    public var name: String
    /// In the parameter's unit.
    public var value: Float
    /// As people write it: `30 %`.
    public var text: String
    public var minimum: Float
    public var maximum: Float
    public var defaultValue: Float
    /// The names of the values from the minimum on, where they have any.
    public var values: [String]?
    public var isWritable: Bool
  }

  public var rack: String
  public var inputs: [Port]
  public var outputs: [Port]
  public var units: [Unit]
  /// Chains, as in the rack file.
  public var connections: [String]
  /// By name.
  public var scenes: [String]
  /// Of the set list that is played, in their order.
  public var songs: [String]?
  /// The one that plays.
  public var song: String?
}

extension RackSession {
  public func listing() async -> RackListing {
    let plan = rack.plan
    let presets = Dictionary(
      rack.file.units.map { ($0.name.value, $0.preset?.value) }
    ) { first, _ in first }
    return RackListing(
      rack: plan.name,
      inputs: plan.inputs.map { .init(name: $0.name, channels: $0.channelCount) }
        + plan.midiInputs.map { .init(name: $0.name, channels: 0) },
      outputs: plan.outputs.map { .init(name: $0.name, channels: $0.channelCount) }
        + plan.midiOutputs.map { .init(name: $0.name, channels: 0) },
      units: await engine.namedUnits.map { unit in
        .init(unit, preset: presets[unit.name] ?? nil)
      },
      connections: rack.file.connections.map(\.text), scenes: plan.scenes.map(\.name),
      songs: concert?.names, song: concert?.name)
  }
}

extension RackListing.Unit {
  fileprivate init(_ unit: NamedUnit, preset: String?) {
    let audioUnit = unit.audioUnit
    name = unit.name
    self.unit = "\(audioUnit.facts.component)"
    title = audioUnit.facts.name
    self.preset = preset
    let bypass = ParameterPath(unit: unit.name, keyPath: ParameterPath.bypass)
    parameters = audioUnit.facts.allParameters(inputBusCount: audioUnit.inputBusses.count).map {
      RackListing.Parameter(
        ParameterPath(unit: unit.name, keyPath: $0.keyPath), $0.info,
        value: audioUnit.parameterValue($0.address) ?? $0.info.defaultValue)
    }
    parameters.append(
      RackListing.Parameter(bypass, .bypass, value: audioUnit.shouldBypassEffect ? 1 : 0))
  }
}

extension RackListing.Parameter {
  fileprivate init(_ path: ParameterPath, _ info: ParameterInfo, value: Float) {
    let reading = ParameterReading(path, value: value, info: info)
    parameter = reading.parameter
    name = info.name
    self.value = reading.value
    text = reading.text
    (minimum, maximum, defaultValue) = (info.minimum, info.maximum, info.defaultValue)
    values = info.valueStrings.isEmpty ? nil : info.valueStrings
    isWritable = info.flags.contains(.writable)
  }
}
