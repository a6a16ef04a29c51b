/// A built-in unit with its figures and its picture; Units/ has a file for each unit.
package struct MeasuredUnit: Sendable, CustomStringConvertible {
  package let unit: BuiltInUnit
  package let figures: [Figure]
  /// The material for judging the presets; nil for units whose purpose is to change the loudness.
  package let material: Material?
  /// The presets judged on other material, or not at all; "Defaults" is not one of them.
  package let presetMaterial: [String: Material?]
  /// The part for judging an instrument's presets; nil if the played notes determine their
  /// loudness.
  package let part: Part?
  /// The presets judged on another part, or not at all.
  package let presetParts: [String: Part?]
  /// Draws a graph of the unit's effect on sound from renderings of the unit.
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

  /// The loudness of the defaults and of every preset: for effects relative to bypass, for
  /// instruments relative to the target.
  package var presetFigures: [Figure] {
    unit.inputBusses.isEmpty ? playedFigures : effectFigures
  }

  private var effectFigures: [Figure] {
    (["Defaults"] + unit.presetNames).compactMap { preset in
      guard let material = presetMaterial[preset] ?? material else { return nil }
      return Figure(
        "\(preset), beside bypass, \(material)", in: "LU", .near(0, within: 2), isLong: true
      ) { unit in
        // Use two seconds: there are four hundred presets.
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

  /// The name of the unit's page and picture: "low-pass-filter".
  package var pageName: String { name.lowercased().replacing(" ", with: "-") }

  package var description: String { "\(unit)" }
}
