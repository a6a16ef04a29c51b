extension MeasuredUnit {
  static let player = MeasuredUnit(
    "augn/play/bkln",
    figures: [
      Figure("Largest difference from the file, second lap", in: "", .atMost(0)) { unit in
        let file = SoundFile.noise(frames: 4800, channels: 1)
        let output = try played(file, by: unit, frames: 9600)
        let lap = output.suffix(4800)
        return Deviation.worst(of: Array(lap), from: file.channels[0])
      }
    ]
  ) { unit in
    let file = SoundFile(sampleRate: 48_000, channels: [Signals.constant(1, frames: 4800)])
    let output = try played(
      file, by: unit, frames: 3600, [.parameter(1, 0, at: 960), .parameter(1, 1, at: 2400)])
    return Plot(
      "A file of ones, switched off at 20 ms and on at 50 ms", x: .seconds(0.075, step: 0.015),
      y: Plot.Axis("Output", 0...1.2, step: 0.2), [Plot.Curve("Output", Plot.Point.over(output))])
  }

  private static func played(
    _ file: SoundFile, by unit: BuiltInUnit, frames: Int, _ events: [UnitHost.Event] = []
  ) throws -> [Float] {
    let folder = try TemporaryFolder()
    let path = try file.write(folder.path("sound.wav"))
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": path])
    return host.render(frames: frames, events: events)[0]
  }
}
