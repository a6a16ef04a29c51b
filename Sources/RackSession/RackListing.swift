import AudioUnits
import RackEngine
import RackModel
import UnitModel

/// The contents of a rack: its ports, units, cables, scenes, controls and songs.
public struct RackListing: Sendable, Codable {
  public struct Port: Sendable, Codable {
    public var name: String
    /// The number of channels; 0 for a MIDI port.
    public var channels: Int
  }

  public struct Unit: Sendable, Codable {
    public var name: String
    /// The component of the unit: `aufx/dely/bkln`.
    public var unit: String
    /// The name of the component: `Delay`.
    public var title: String
    public var tags: [String]
    public var preset: String?
    /// The audio inputs, as chains name them: `duck`, `duck.sidechain`.
    public var inputs: [String]
    public var outputs: [String]
    public var takesMIDI: Bool
    public var sendsMIDI: Bool
    /// The names of keys, such as those of drums, by MIDI note number; nil if no key has a name.
    public var noteNames: [Int: String]?
    /// The identifiers of the unit's signals for `watch`: `output.spectrum`, `response`.
    public var signals: [String]
    /// The file of the view in the unit's bundle; nil without one.
    public var view: String?
    public var parameters: [Parameter]
    /// The texts and paths of the unit.
    public var properties: [Property]
  }

  public struct Property: Sendable, Codable {
    /// The path of the property: `sampler.file`.
    public var property: String
    /// The name of the property: `File`.
    public var name: String
    /// The text or the absolute path; nil if the property has no value.
    public var value: String?
    public var isPath: Bool
  }

  public struct Parameter: Sendable, Codable {
    /// The path of the parameter: `echo.mix`.
    public var parameter: String
    /// The name of the parameter: `Mix`.
    public var name: String
    /// The value in the parameter's unit.
    public var value: Float
    /// The value as text: `30 %`.
    public var text: String
    public var minimum: Float
    public var maximum: Float
    public var defaultValue: Float
    /// The names of the values from the minimum on; nil if they have none.
    public var values: [String]?
    /// The unit of the parameter: `decibels`.
    public var unit: String
    /// The curve of the knob: `linear`, `log` or `square`.
    public var curve: String
    /// The name of the parameter's group; nil without one.
    public var group: String?
    public var isWritable: Bool
    /// Whether the parameter has only whole values.
    public var isWhole: Bool
    /// Whether the parameter is a button, without a value.
    public var isMomentary: Bool
    /// The position of the parameter in a small view, from 1; nil if that does not show the parameter.
    public var overviewRank: Int?
  }

  /// A cable.
  public struct Cable: Sendable, Codable {
    /// The source: a port, a unit, or a bus of a unit: `split.2`.
    public var from: String
    public var to: String
    /// The kind of the cable: `audio`, `feedback` or `midi`.
    public var kind: String
    /// The chain for `disconnect`: `drums -> duck.sidechain`.
    public var chain: String
  }

  public var rack: String
  public var inputs: [Port]
  public var outputs: [Port]
  public var units: [Unit]
  /// The units of the rack file that could not be found.
  public var missing: [MissingUnit]

  /// A control of the rack file.
  public struct Control: Sendable, Codable, Equatable {
    /// The MIDI input and the message: `keys cc 7`.
    public var from: String
    /// The target of the control: `echo.mix`.
    public var to: String
    /// The values at the lowest and the highest position of the control; nil for the parameter's range.
    public var range: [String]?
    public var curve: String?
    public var mode: String?
    public var picksUp: Bool?
  }

  public struct Modulation: Sendable, Codable, Equatable {
    /// The source of the modulation: `lfo`, `pair channel 2`.
    public var from: String
    /// The path of the modulated parameter: `filter.cutoff`.
    public var to: String
    /// The depth as part of the parameter's travel: `30 %`.
    public var depth: String
    public var curve: String?
    public var late: Bool?
  }

  /// The chains, as in the rack file.
  public var connections: [String]
  public var cables: [Cable]
  /// The names of the scenes.
  public var scenes: [String]
  public var modulations: [Modulation]
  public var controls: [Control]
  /// The songs of the set list, in order; nil without a set list.
  public var songs: [String]?
  /// The song that plays; nil if the present rack belongs to no song.
  public var song: String?
  public var state: SessionState
  /// The song that was requested last and could not be played; `next` continues after that song.
  public var refusedSong: String?
  /// The session's revision with these values.
  public var revision: Int
}

extension RackListing {
  package var parameters: [Parameter] { units.flatMap(\.parameters) }
}

extension RackSession {
  /// The rack that plays: all of it from one moment, never parts of two racks.
  public func listing() -> RackListing {
    let plan = rack.plan
    let units = unitsWhileReplacing ?? feed.units
    for unit in units { unit.audioUnit.applyRenderChanges() }
    let presets = Dictionary(
      rack.file.units.map { ($0.name.value, $0.preset?.value) }
    ) { first, _ in first }
    return RackListing(
      rack: plan.name,
      inputs: plan.inputs.map { .init(name: $0.name, channels: $0.channelCount) }
        + plan.midiInputs.map { .init(name: $0.name, channels: 0) },
      outputs: plan.outputs.map { .init(name: $0.name, channels: $0.channelCount) }
        + plan.midiOutputs.map { .init(name: $0.name, channels: 0) },
      units: units.map { unit in
        .init(unit, preset: presets[unit.name] ?? nil, view: view(of: unit)) { present($0) }
      },
      missing: plan.missing, connections: rack.file.connections.map(\.text),
      cables: plan.drawnCables.map(RackListing.Cable.init),
      scenes: plan.scenes.map(\.name),
      modulations: rack.file.modulations.map(RackListing.Modulation.init),
      controls: rack.file.controls.map(RackListing.Control.init),
      songs: setListPlayer?.names, song: setListPlayer?.song(of: rack), state: state,
      refusedSong: setListPlayer?.refusedSong,
      revision: revision)
  }

  private func view(of unit: NamedUnit) -> String? {
    guard let planned = rack.plan.units.first(where: { $0.name == unit.name }) else { return nil }
    return (try? engine.catalogue.components(for: planned.reference))?.first?.customView
  }

  /// Returns the state of the engine and the song that plays.
  ///
  /// - Parameter since: as for `Engine.status`.
  public func status(since: Int64? = nil) async -> EngineSnapshot {
    var status = await engine.status(since: since)
    status.song = setListPlayer?.song(of: rack)
    return status
  }
}

extension RackListing.Modulation {
  init(_ entry: Rack.Modulation) {
    (from, to) = (entry.source?.value ?? "", entry.target?.value ?? "")
    depth = entry.depth?.value ?? ""
    (curve, late) = (entry.curve?.value.description, entry.isLate?.value)
  }
}

extension RackListing.Control {
  init(_ entry: Rack.Control) {
    (from, to) = (entry.source?.value ?? "", entry.target?.value ?? "")
    range = entry.range?.map(\.value)
    curve = entry.curve?.value.description
    (mode, picksUp) = (entry.mode?.value.rawValue, entry.picksUp?.value)
  }
}

extension RackListing.Control: CustomStringConvertible {
  /// The control as text: `keys cc 7 -> echo.mix, 0 % to 50 %, log`.
  public var description: String {
    let details = [
      range.map { $0.joined(separator: " to ") }, curve, mode, picksUp == true ? "picked up" : nil,
    ].compactMap(\.self)
    return (["\(from) -> \(to)"] + details).joined(separator: ", ")
  }
}

extension RackListing.Unit {
  fileprivate init(
    _ unit: NamedUnit, preset: String?, view: String?, present: (FoundParameter) -> Float
  ) {
    let audioUnit = unit.audioUnit
    name = unit.name
    self.unit = "\(audioUnit.facts.component)"
    (title, tags) = (audioUnit.facts.name, audioUnit.facts.tags)
    (self.preset, self.view) = (preset, view)
    let inputs = audioUnit.inputBusses.count
    self.inputs = (0..<inputs).map { bus in
      audioUnit.facts.nameOfInput(bus, of: inputs).map { "\(unit.name).\($0)" } ?? unit.name
    }
    let outputs = audioUnit.facts.outputBusses.map(\.name)
    self.outputs =
      outputs.count > 1 ? outputs.map { "\(unit.name).\($0)" } : outputs.map { _ in unit.name }
    takesMIDI = audioUnit.facts.hasMIDIInput
    sendsMIDI = !audioUnit.facts.midiOutputNames.isEmpty
    noteNames = audioUnit.noteNames.isEmpty ? nil : audioUnit.noteNames
    signals = WatchedSignal.all(of: unit).map(\.identifier)
    let keyPaths = audioUnit.facts.allParameters(inputBusCount: inputs)
      .map(\.keyPath)
    parameters = (keyPaths + [ParameterPath.bypass]).compactMap {
      try? FoundParameter(ParameterPath(unit: unit.name, keyPath: $0), of: audioUnit)
    }.map { RackListing.Parameter($0, value: present($0)) }
    let values = audioUnit.propertyValues
    properties = audioUnit.facts.properties.filter { $0.kind != .data }.map {
      .init(
        property: "\(unit.name).\($0.identifier)", name: $0.name, value: values[$0.identifier],
        isPath: $0.isPath)
    }
  }
}

extension RackListing.Parameter {
  fileprivate init(_ found: FoundParameter, value: Float) {
    let info = found.info
    parameter = found.path.description
    name = info.name
    self.value = value
    text = found.text(of: value)
    (minimum, maximum, defaultValue) = (info.minimum, info.maximum, info.defaultValue)
    values = info.valueStrings.isEmpty ? nil : info.valueStrings
    (unit, curve) = ("\(info.unit)", "\(info.curve)")
    group = info.group.map { found.unit?.facts.parameterGroupNames[$0] ?? $0 }
    isWritable = info.flags.contains(.writable)
    (isWhole, isMomentary) = (info.isWhole, info.isMomentary)
    overviewRank = info.overviewRank
  }
}

extension RackListing.Cable {
  fileprivate init(_ cable: DrawnCable) {
    (from, to, chain) = (cable.from.name, cable.to.name, cable.text)
    kind = "\(cable.kind)"
  }
}
