import UnitModel

/// A few units as values, modelled on those that ship.
enum TestCatalogue {
  static let units = [
    gain, mixer, lowPass, ring, distortion, delay, sine, player, meter, transposer, reverse,
  ]

  private static func component(_ type: String, _ subtype: String) -> ComponentDescription {
    ComponentDescription("\(type)/\(subtype)/bkln")!
  }

  private static let input = [BusInfo(name: "input", defaultChannelCount: 2)]
  private static let output = [BusInfo(name: "output", defaultChannelCount: 2)]

  /// An offline effect.
  static let reverse = UnitFacts(
    component: component("auol", "rvrs"), name: "Reverse", inputBusses: input,
    outputBusses: output,
    parameters: [
      ParameterInfo(
        identifier: "way", name: "Way", unit: .indexed, minimum: 0, maximum: 1, defaultValue: 0)
    ])

  static let gain = UnitFacts(
    component: component("aufx", "gain"), name: "Gain", summary: "Louder or softer",
    canProcessInPlace: true, inputBusses: input, outputBusses: output,
    parameters: [
      ParameterInfo(
        identifier: "gain", name: "Gain", unit: .decibels, minimum: -60, maximum: 24,
        defaultValue: 0)
    ])

  /// A mixer with one or two channels on each input and output.
  static let mixer = UnitFacts(
    component: component("aumx", "mixr"), name: "Mixer",
    inputBusses: [BusInfo(name: "1", defaultChannelCount: 2)], maximumInputBusCount: 64,
    outputBusses: output,
    channelCapabilities: [
      ChannelCapability(input: 1, output: 1), ChannelCapability(input: 1, output: 2),
      ChannelCapability(input: 2, output: 1), ChannelCapability(input: 2, output: 2),
    ],
    parameters: [
      ParameterInfo(
        identifier: "gain", name: "Gain", unit: .decibels, minimum: -60, maximum: 12,
        defaultValue: 0, flags: [.default, .perInputBus]),
      ParameterInfo(
        identifier: "pan", name: "Pan", unit: .pan, minimum: -1, maximum: 1, defaultValue: 0,
        flags: [.default, .perInputBus]),
      ParameterInfo(
        identifier: "master", name: "Master", unit: .decibels, minimum: -60, maximum: 12,
        defaultValue: 0),
    ])

  static let lowPass = UnitFacts(
    component: component("aufx", "lpas"), name: "Low-Pass Filter", inputBusses: input,
    outputBusses: output,
    parameters: [
      ParameterInfo(
        identifier: "cutoff", name: "Cutoff", unit: .hertz, minimum: 20, maximum: 20000,
        defaultValue: 1000, curve: .logarithmic),
      ParameterInfo(
        identifier: "resonance", name: "Resonance", unit: .decibels, minimum: -20, maximum: 40,
        defaultValue: 0),
    ])

  static let ring = UnitFacts(
    component: component("aufx", "ring"), name: "Ring Modulator",
    inputBusses: input + [BusInfo(name: "carrier", defaultChannelCount: 2, isOptional: true)],
    outputBusses: output,
    parameters: [
      ParameterInfo(
        identifier: "frequency", name: "Frequency", unit: .hertz, minimum: 1, maximum: 5000,
        defaultValue: 22, curve: .logarithmic),
      ParameterInfo(
        identifier: "shape", name: "Shape", unit: .indexed, minimum: 0, maximum: 1,
        defaultValue: 0, valueStrings: ["rectified", "sine"]),
    ])

  static let distortion = UnitFacts(
    component: component("aufx", "dist"), name: "Distortion", inputBusses: input,
    outputBusses: output,
    channelCapabilities: [
      ChannelCapability(input: 1, output: 1), ChannelCapability(input: 2, output: 2),
    ],
    parameters: [
      ParameterInfo(
        identifier: "drive", name: "Drive", unit: .decibels, minimum: 0, maximum: 48,
        defaultValue: 12),
      ParameterInfo(
        identifier: "mix", name: "Mix", unit: .percent, minimum: 0, maximum: 100,
        defaultValue: 100),
    ],
    factoryPresets: [
      FactoryPreset(name: "Alien Chatter", values: [0: 36, 1: 80]),
      FactoryPreset(name: "Drum Crusher", values: [0: 30]),
    ])

  static let delay = UnitFacts(
    component: component("aufx", "dely"), name: "Delay", inputBusses: input, outputBusses: output,
    channelCapabilities: [
      ChannelCapability(input: 1, output: 2), ChannelCapability(input: 2, output: 2),
    ],
    parameters: [
      ParameterInfo(
        identifier: "time", name: "Time", unit: .seconds, minimum: 0.001, maximum: 4,
        defaultValue: 0.25),
      ParameterInfo(
        identifier: "ping_pong", name: "Ping-pong", unit: .boolean, minimum: 0, maximum: 1,
        defaultValue: 0),
      ParameterInfo(
        identifier: "mix", name: "Mix", unit: .percent, minimum: 0, maximum: 100, defaultValue: 30),
    ])

  static let sine = UnitFacts(
    component: component("aumu", "sine"), name: "Sine Instrument", hasMIDIInput: true,
    outputBusses: output,
    channelCapabilities: [ChannelCapability(input: 0, output: ChannelCapability.any)],
    parameters: [
      ParameterInfo(
        identifier: "attack", group: "envelope", name: "Attack", unit: .seconds, minimum: 0.001,
        maximum: 5, defaultValue: 0.01)
    ])

  static let player = UnitFacts(
    component: component("augn", "play"), name: "Player", outputBusses: output,
    channelCapabilities: [ChannelCapability(input: 0, output: ChannelCapability.any)],
    parameters: [
      ParameterInfo(
        identifier: "loop", name: "Loop", unit: .boolean, minimum: 0, maximum: 1, defaultValue: 1)
    ],
    properties: [
      PropertyInfo(identifier: "file", name: "Sound file", kind: .path, isRequired: true)
    ])

  /// A meter with a read-only parameter.
  static let meter = UnitFacts(
    component: component("aufx", "metr"), name: "Meter", inputBusses: input, outputBusses: output,
    parameters: [
      ParameterInfo(
        identifier: "peak", name: "Peak", unit: .decibels, minimum: -120, maximum: 24,
        defaultValue: -120, flags: .readable)
    ])

  /// A unit that receives and sends MIDI.
  static let transposer = UnitFacts(
    component: component("aumi", "trns"), name: "Transposer", hasMIDIInput: true,
    midiOutputNames: ["midi"],
    parameters: [
      ParameterInfo(
        identifier: "semitones", name: "Semitones", unit: .semitones, minimum: -48, maximum: 48,
        defaultValue: 0)
    ])
}
