extension MeasuredUnit {
  static let chorus = MeasuredUnit(
    "aufx/chor/bkln",
    figures: [
      Figure("Middle of a voice's sweep, delay 8 ms", in: "ms", .near(8, within: 0.01)) { unit in
        let host = try unit.host(["voices": 1, "mix": 100, "depth": 0, "delay": 8])
        let response = host.impulseResponse(frames: 1000)
        return Double(response.indices.max { response[$0] < response[$1] } ?? 0) / 48
      },
      Figure("Spurs of a voice at 13 kHz, depth 1.5 ms, rate 5 Hz", in: "dB", .atMost(-90)) {
        unit in
        let host = try unit.host(["voices": 1, "mix": 100, "depth": 1.5, "rate": 5, "delay": 8])
        let spectrum = LineSpectrum(host.play(Signals.sine(frequency: 13_000, frames: 34_000)))
        return max(spectrum.peak(from: 20, to: 12_000), spectrum.peak(from: 14_000, to: 23_900))
      },
    ]
  ) { unit in
    // For a ramp of the time in seconds, the output is the time minus the delay.
    let ramp = (0..<96_000).map { Float($0) / 48_000 }
    let host = try unit.host(
      channels: 2, ["voices": 1, "mix": 100, "depth": 2, "rate": 1, "delay": 8])
    let output = host.render(inputs: [[ramp, ramp]], frames: ramp.count)
    return Plot(
      "Delay of one voice, depth 2 ms, rate 1 Hz, spread 90°", x: .seconds(2, step: 0.5),
      y: Plot.Axis("Delay in ms", 4...12, step: 2),
      zip(["left", "right"], output).map { name, side in
        let delays = zip(ramp, side).map { ($0 - $1) * 1000 }
        return Plot.Curve(name, Plot.Point.over(delays).filter { $0.x > 0.02 })
      })
  }
}
