import BacklineTestSupport

/// A built-in unit with its figures and its picture; a file a unit in Units/.
package struct MeasuredUnit: Sendable, CustomStringConvertible {
  package let unit: BuiltInUnit
  package let figures: [Figure]
  /// What the presets are judged on; nil for units whose work it is to change the loudness.
  package let material: Material?
  /// Presets that are judged on other material, or not at all; "Defaults" is none of them.
  package let presetMaterial: [String: Material?]
  /// What the presets of an instrument are judged on; nil where what is played decides.
  package let part: Part?
  /// Presets that are judged on another part, or not at all.
  package let presetParts: [String: Part?]
  /// A graph of what the unit does to sound, drawn from renderings of the unit.
  package let picture: @Sendable (BuiltInUnit) throws -> Plot

  package init(
    _ code: String, material: Material? = .guitar,
    presetMaterial: [String: Material?] = [:], part: Part? = nil,
    presetParts: [String: Part?] = [:], figures: [Figure],
    picture: @escaping @Sendable (BuiltInUnit) throws -> Plot
  ) {
    self.material = material
    self.presetMaterial = presetMaterial
    (self.part, self.presetParts) = (part, presetParts)
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

  /// The loudness of the defaults and of every preset beside that of bypass, of effects, and beside
  /// what instruments are to have.
  package var presetFigures: [Figure] {
    unit.inputBusses.isEmpty ? playedFigures : effectFigures
  }

  private var effectFigures: [Figure] {
    (["Defaults"] + unit.presetNames).compactMap { preset in
      guard let material = presetMaterial[preset] ?? material else { return nil }
      return Figure(
        "\(preset), beside bypass, \(material)", in: "LU", .near(0, within: 2), isLong: true
      ) { unit in
        // Two seconds: there are four hundred presets.
        let channel = Array(material.samples.prefix(Material.frames / 2))
        let sound = [channel, channel]
        let host = try unit.host(channels: 2, preset: preset == "Defaults" ? nil : preset)
        return Loudness.integrated(host.play(sound)) - Loudness.integrated(sound)
      }
    }
  }

  private var playedFigures: [Figure] {
    unit.presetNames.compactMap { preset in
      guard let part = presetParts[preset] ?? part else { return nil }
      return Figure(
        "\(preset), beside \(Int(Part.loudness)) LUFS, \(part)", in: "LU", .near(0, within: 2),
        isLong: true
      ) { unit in
        let output = try unit.host(preset: preset).render(
          frames: Material.frames, events: part.events)
        return Loudness.integrated(output) - Part.loudness
      }
    }
  }

  package var name: String { String(cString: unit.facts.name) }

  /// The name of its page and of its picture: "low-pass-filter".
  package var pageName: String { name.lowercased().replacing(" ", with: "-") }

  package var description: String { "\(unit)" }
}
