import Documents
import UnitModel

extension Plan {
  /// Creates a plan of one unit, whose busses are the ports.
  ///
  /// - Parameters:
  ///   - bundle: the absolute path of the unit's bundle; nil for a built-in unit.
  ///   - inputs: the channels of each input bus; nil where nothing is connected.
  ///   - output: the channels of each output bus; nil for as many as the unit chooses.
  /// - Throws: `Refusal` where the unit does not accept these channels.
  package init(
    around facts: UnitFacts, bundle: String? = nil, inputs: [Int?], output: Int?
  ) throws(Refusal) {
    let counts = try facts.channelCounts(sources: inputs, output: output)
    let unit = PlannedUnit(
      name: facts.name, component: facts.component, version: facts.version, bundle: bundle,
      inputChannelCounts: counts.inputs, outputChannelCounts: counts.outputs, parameters: [],
      properties: [], isBypassed: false, spills: false, isPipelined: false, facts: facts)
    self.init(
      name: facts.name, tempo: Self.defaultTempo, processes: ProcessSettings(), inputs: [],
      outputs: [], midiInputs: [], midiOutputs: [], units: [unit], cables: [], midiCables: [],
      controls: [], scenes: [], automation: [])
    for (bus, channels) in inputs.enumerated() {
      guard let channels, let name = facts.inputBus(at: bus)?.name else { continue }
      // A numbered bus is one of a mixer.
      let port = Int(name) == nil ? name : "input_\(name)"
      cables.append(
        Cable(
          source: .port(self.inputs.count), destination: .unit(0, bus: bus), position: .nowhere))
      self.inputs.append(Port(name: port, channelCount: channels))
    }
    for (bus, info) in facts.outputBusses.enumerated() {
      cables.append(
        Cable(source: .unit(0, bus: bus), destination: .port(bus), position: .nowhere))
      outputs.append(Port(name: info.name, channelCount: counts.outputs[bus]))
    }
    if facts.hasMIDIInput {
      midiInputs = [Port(name: "midi_in", channelCount: 1)]
      midiCables.append(
        MIDICable(source: .port(0), destination: .unit(0, bus: 0), position: .nowhere))
    }
    for (cable, name) in facts.midiOutputNames.enumerated() {
      midiOutputs.append(Port(name: "\(name)_out", channelCount: 1))
      midiCables.append(
        MIDICable(source: .unit(0, bus: cable), destination: .port(cable), position: .nowhere))
    }
  }
}
