import BacklineTestSupport

/// A built-in unit with its figures and its picture; a file a unit in Units/.
package struct MeasuredUnit: Sendable, CustomStringConvertible {
  package let unit: BuiltInUnit
  package let figures: [Figure]
  /// What the presets are judged on; nil for units whose work it is to change the loudness.
  package let material: Material?
  /// Presets that are judged on other material, or not at all.
  package let presetMaterial: [String: Material?]
  /// A graph of what the unit does to sound, drawn from renderings of the unit.
  package let picture: @Sendable (BuiltInUnit) throws -> Plot

  package init(
    _ code: String, material: Material? = .guitar,
    presetMaterial: [String: Material?] = [:], figures: [Figure],
    picture: @escaping @Sendable (BuiltInUnit) throws -> Plot
  ) {
    self.material = material
    self.presetMaterial = presetMaterial
    unit = BuiltInUnit(code)
    self.figures = figures
    self.picture = picture
  }

  package static let all: [MeasuredUnit] = [
    analogueFilter,
    arpeggiator,
    bitCrusher,
    cabinet,
    chord,
    chorus,
    compressor,
    convolver,
    deEsser,
    delay,
    denoiser,
    distortion,
    drumMachine,
    envelope,
    envelopeFollower,
    fade,
    flanger,
    fmSynth,
    formatConverter,
    gain,
    gate,
    granulator,
    graphicEQ,
    graphicEQ31,
    guitarAmp,
    highPassFilter,
    humanise,
    lfo,
    limiter,
    looper,
    loudnessMeter,
    lowPassFilter,
    macro,
    midiClock,
    midiEcho,
    midiFilter,
    midiLFO,
    midiToControl,
    mixer,
    mono,
    multibandCompressor,
    neuralAmp,
    normalise,
    octaver,
    overdrive,
    panner,
    parametricEQ,
    phaser,
    pitchShifter,
    player,
    polySynth,
    reverb,
    reverse,
    ringModulator,
    rotarySpeaker,
    sampleAndHold,
    sampler,
    scale,
    sineInstrument,
    springReverb,
    stepSequencer,
    stereoTools,
    stretch,
    tape,
    transientShaper,
    transposer,
    tremolo,
    trim,
    tuner,
    velocityCurve,
    vocoder,
    wah,
  ]

  /// The loudness of every preset beside that of bypass; of effects alone.
  package var presetFigures: [Figure] {
    guard !unit.inputBusses.isEmpty else { return [] }
    return unit.presetNames.compactMap { preset in
      guard let material = presetMaterial[preset] ?? material else { return nil }
      return Figure(
        "\(preset), beside bypass, \(material)", in: "LU", .near(0, within: 2), isLong: true
      ) { unit in
        let sound = [material.samples, material.samples]
        let output = try unit.host(channels: 2, preset: preset).play(sound)
        return Loudness.integrated(output) - Loudness.integrated(sound)
      }
    }
  }

  package var name: String { String(cString: unit.facts.name) }

  /// The name of its page and of its picture: "low-pass-filter".
  package var pageName: String { name.lowercased().replacing(" ", with: "-") }

  package var description: String { "\(unit)" }
}
