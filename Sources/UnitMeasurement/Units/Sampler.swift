import Foundation

extension MeasuredUnit {
  static let sampler = MeasuredUnit(
    "aumu/smpl/bkln", material: nil,
    figures: [
      Figure("Spurs of tones up to 12.5 kHz, two octaves down to two up", in: "dBc", .atMost(-93)) {
        try spurs(of: $0, sampleRate: 48_000)
      },
      Figure(
        "Spurs of tones up to 12.5 kHz, two octaves down to two up, at 44.1 kHz", in: "dBc",
        .atMost(-90)
      ) {
        try spurs(of: $0, sampleRate: 44_100)
      },
      Figure(
        "Amplitude of tones, two octaves down to two up: farthest from 0.5", in: "",
        .atMost(0.0005)
      ) { unit in
        try [44_100.0, 48_000].flatMap { try transposed(unit, sampleRate: $0) }.map {
          // A file of one channel sounds at equal power from both sides.
          abs($0.amplitude * 2.0.squareRoot() - 0.5)
        }.worst
      },
      Figure("17 kHz played an octave up: what folds down", in: "dBc", .atMost(-90)) { unit in
        Level.rms(try played(unit, tone: 17_000, key: 72, frames: 4000).suffix(3800))
          - Level.rms(SoundFile.sine(17_000, frames: 4000).channels[0])
      },
      // An error of 0.01 cents would leave -60 dB.
      Figure("Worst error of a SoundFont's sine, 320 to 1200 cents up", in: "dBc", .atMost(-60)) {
        unit in
        try fontPitches.map { generators, key, cents in
          let output = try playedFont(unit, generators, key: key, frames: 12_000)
          let frequency = 500 * pow(2, cents / 1200)
          let fit = SineFit(output[1000...], frequency: frequency, sampleRate: 48_000)
          return Level.decibels(fit.residual / fit.amplitude)
        }.max() ?? .nan
      },
      Figure("48 dB of a SoundFont's decay of 1 s", in: "s", .near(0.5, within: 0.015)) { unit in
        let output = try playedFont(unit, [(36, 0), (37, 1000)], key: 60, frames: 48_000)
        let levels = stride(from: 0, to: 47_040, by: 96).map {
          Level.rms(output[$0..<($0 + 960)])
        }
        let from = levels.firstIndex { $0 < levels[0] - 6 } ?? 0
        let to = levels.firstIndex { $0 < levels[0] - 54 } ?? 0
        return Double(to - from) * 96 / 48_000
      },
    ]
  ) { unit in
    Plot(
      "Level of a note of 1 s, by preset", x: .seconds(2, step: 0.25),
      y: .decibels(-72...0, step: 12, "Level"),
      try ["As Recorded", "Swelling Pad", "Tight"].map { preset in
        let output = try played(
          unit, tone: 500, key: 60, frames: 96_000, preset: preset, release: 48_000)
        return Plot.Curve(preset, Plot.Point.levels(of: output, window: 0.01))
      })
  }

  /// The generators of a zone, the key and the cents above 500 Hz.
  private static let fontPitches: [([SoundFontFile.Generator], UInt8, Double)] = [
    ([], 72, 1200), ([(51, 3), (52, 20)], 60, 320), ([(56, 50)], 72, 600), ([(58, 48)], 60, 1200),
  ]

  private static func spurs(of unit: BuiltInUnit, sampleRate: Double) throws -> Double {
    try transposed(unit, sampleRate: sampleRate).map {
      Level.decibels($0.residual / $0.amplitude)
    }.max() ?? .nan
  }

  /// Returns tones of 997 Hz to 12.5 kHz that keys around C4 have transposed.
  private static func transposed(_ unit: BuiltInUnit, sampleRate: Double) throws -> [SineFit] {
    try [36, 45, 47, 59, 61, 67, 72, 79, 84].flatMap { (key: UInt8) in
      try [997.0, 6000, 12_500].compactMap { tone -> SineFit? in
        let expected: Double = tone * pow(2, (Double(key) - 60) / 12)
        guard expected < 0.29 * sampleRate else { return nil }
        let output = try played(unit, tone: tone, key: key, sampleRate: sampleRate, frames: 6000)
        return SineFit(output.suffix(5800), near: expected, sampleRate: sampleRate)
      }
    }
  }

  /// Creates an instance with one tone, which is C4's; with a preset it decays slowly.
  private static func host(
    _ unit: BuiltInUnit, tone: Double, _ folder: TemporaryFolder, sampleRate: Double = 48_000,
    preset: String? = nil
  ) throws -> UnitHost {
    _ = try SoundFile.sine(tone, frames: 48_000).write(folder.path("tone.wav"))
    let text = """
      <region> sample=tone.wav loop_mode=loop_continuous loop_start=0 loop_end=47999
      ampeg_decay=8 ampeg_sustain=\(preset == nil ? 100 : 0) ampeg_release=0.5
      """
    let host = try unit.host(sampleRate: sampleRate, preset: preset)
    try host.setProperty("file", try folder.write("tone.sfz", bytes: Array(text.utf8)))
    return host
  }

  private static func played(
    _ unit: BuiltInUnit, tone: Double, key: UInt8, sampleRate: Double = 48_000, frames: Int,
    preset: String? = nil, release: Int? = nil
  ) throws -> [Float] {
    let host = try host(
      unit, tone: tone, TemporaryFolder(), sampleRate: sampleRate, preset: preset)
    let end = release.map { [UnitHost.Event.midi([0x80, key, 0], at: $0)] } ?? []
    return host.render(frames: frames, events: [.midi([0x90, key, 127], at: 0)] + end)[0]
  }

  /// Returns the output of a font with 500 Hz at C4, in a loop.
  private static func playedFont(
    _ unit: BuiltInUnit, _ generators: [SoundFontFile.Generator], key: UInt8, frames: Int
  ) throws -> [Float] {
    let folder = try TemporaryFolder()
    let zone = SoundFontFile.Zone(
      SoundFile.sine(500, frames: 9600).channels[0], loop: 960..<8640, generators + [(54, 1)])
    let font = SoundFontFile(presets: [SoundFontFile.Preset(zones: [zone])])
    let file = try folder.write("font.sf2", bytes: font.bytes)
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    return host.render(frames: frames, events: [.midi([0x90, key, 127], at: 0)])[0]
  }
}
