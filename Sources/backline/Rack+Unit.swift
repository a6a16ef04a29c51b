import Documents
import RackModel
import UnitModel

extension Rack {
  /// The input of a unit. The sine instrument plays the MIDI that the unit sends.
  enum UnitSource {
    /// A sound file, through the player unit.
    case file(String)
    /// A sound file, through a property of the unit itself.
    case ownFile(String, property: String)
    /// JACK ports for the inputs of the unit: audio, and MIDI besides.
    case jack
    case midi, nothing
  }

  /// The unit's name in its rack.
  static let unitName = "unit"

  /// Creates a rack around one unit, without a file.
  ///
  /// - Parameters:
  ///   - process: the process that the unit runs in; nil for its usual one.
  ///   - width: the number of channels of the ports; nil for stereo if the unit supports that.
  init(
    around facts: UnitFacts, _ reference: UnitReference, preset: String?, settings: [Setting],
    source: UnitSource, process: ProcessChoice? = nil, width: Int? = nil
  ) {
    var unit = Unit(Self.unitName, "\(reference)", preset: preset)
    unit.process = process.map { Located($0) }
    unit.parameters = settings
    let usual = width.map { (input: $0, output: $0) } ?? facts.defaultWidths
    var (inputs, others): ([Port], [Unit]) = ([], [])
    let keys = Port("keys", isMIDI: true)
    let front: String
    switch source {
    case .file(let path):
      var player = Unit(
        "player", "augn/play/bkln", properties: ["file": FilePath.absolute(path)])
      if usual.input > 0 { player.channels = Located(usual.input) }
      others = [player]
      front = "player -> unit"
    case .ownFile(let path, let property):
      unit.properties = [Setting(property, FilePath.absolute(path))]
      front = "unit"
    case .jack:
      // Most people have one microphone or guitar, and hear it on both sides.
      let capture = "system:capture_1"
      inputs = [
        Port(
          "in", channels: usual.input, connect: [String](repeating: capture, count: usual.input))
      ]
      front = "in -> unit"
    case .midi:
      inputs = [keys]
      front = "keys -> unit"
    case .nothing: front = "unit"
    }
    let sendsMIDI = facts.outputBusses.isEmpty && !facts.midiOutputNames.isEmpty
    if sendsMIDI { others.append(Unit("synth", "aumu/sine/bkln")) }
    var chains = [Chain(stringLiteral: front + (sendsMIDI ? " -> synth -> main" : " -> main"))]
    let outputs = facts.outputBusses.isEmpty ? 2 : usual.output
    let main = Port(
      "main", channels: outputs, connect: (1...outputs).map { "system:playback_\($0)" })
    if facts.takesAudio && facts.hasMIDIInput {
      inputs.append(keys)
      chains.append("keys -> unit")
    }
    self.init(
      facts.rackName, inputs: inputs, outputs: [main], units: [unit] + others, connections: chains)
    file = ""
  }
}

extension UnitFacts {
  /// Whether the unit has an audio input that is not only an optional one for control.
  var takesAudio: Bool { !inputBusses.isEmpty && !possibleInputCounts.isEmpty }

  /// The name without characters that JACK forbids, at most 40 characters.
  fileprivate var rackName: String {
    String(name.filter { $0 != ":" }.prefix(40)).trimmingSpaces()
  }

  /// The default numbers of channels: stereo if the unit supports that, otherwise those of its first busses.
  fileprivate var defaultWidths: (input: Int, output: Int) {
    let own = (
      input: inputBusses.first?.defaultChannelCount ?? 0,
      output: outputBusses.first?.defaultChannelCount ?? 0
    )
    let takesStereo = own.output <= 2 && allows(input: min(own.input, 1) * 2, output: 2)
    return takesStereo ? (2, 2) : own
  }
}
