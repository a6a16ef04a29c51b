import AudioUnits
import RackEngine
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
  /// Those that the rack asks for and that are not there.
  public var missing: [MissingUnit]

  /// What of MIDI moves what, as in the rack file.
  public struct Control: Sendable, Codable, Equatable {
    /// `keys cc 7`
    public var from: String
    /// `echo.mix`
    public var to: String
    /// The values at its lowest and its highest; nil for all there are.
    public var range: [String]?
    public var curve: String?
    public var mode: String?
    public var picksUp: Bool?
  }

  /// Chains, as in the rack file.
  public var connections: [String]
  /// By name.
  public var scenes: [String]
  public var controls: [Control]
  /// Of the set list that is played, in their order.
  public var songs: [String]?
  /// The one that plays; nil where a rack does that is none of theirs.
  public var song: String?
  /// The one that was called for and could not be played: from it the show goes on.
  public var refusedSong: String?
}

extension RackListing {
  /// What every parameter is at.
  package var readings: [ParameterReading] {
    units.flatMap(\.parameters).map {
      ParameterReading(parameter: $0.parameter, value: $0.value, text: $0.text)
    }
  }
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
      missing: plan.missing, connections: rack.file.connections.map(\.text),
      scenes: plan.scenes.map(\.name),
      controls: rack.file.controls.map(RackListing.Control.init),
      songs: concert?.names, song: concert?.song(of: rack), refusedSong: concert?.refusedSong)
  }

  /// How it is doing, and which song it plays; `since` as for `Engine.status`.
  public func status(since: Int64? = nil) async -> EngineSnapshot {
    var status = await engine.status(since: since)
    status.song = concert?.song(of: rack)
    return status
  }
}

extension RackListing.Control {
  init(_ entry: ControlEntry) {
    (from, to) = (entry.source?.value ?? "", entry.target?.value ?? "")
    range = entry.range?.map(\.value)
    (curve, mode, picksUp) = (entry.curve?.value, entry.mode?.value, entry.picksUp?.value)
  }
}

extension RackListing.Control: CustomStringConvertible {
  /// `keys cc 7 -> echo.mix, 0 % to 50 %, log`
  public var description: String {
    let details = [
      range.map { $0.joined(separator: " to ") }, curve, mode, picksUp == true ? "picked up" : nil,
    ].compactMap(\.self)
    return (["\(from) -> \(to)"] + details).joined(separator: ", ")
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
