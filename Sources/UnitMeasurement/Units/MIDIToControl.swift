extension MeasuredUnit {
  static let midiToControl = MeasuredUnit(
    "augn/mctl/bkln", material: nil,
    figures: [
      Figure(
        "Output while it smooths, turned round half-way: farthest from its curve", in: "",
        .atMost(1e-6)
      ) { unit in
        let settings: [(Float, [Int])] = [(10, [512]), (50, [1]), (10, [17, 480])]
        return try settings.map { smoothing, blocks in
          let half = 24 * Int(smoothing)
          let output = try unit.host(["smoothing": smoothing]).render(
            frames: 4800, blockSizes: blocks,
            events: [.midi([0xB0, 1, 127], at: 100), .midi([0xB0, 1, 0], at: 100 + half)])[0]
          return output.enumerated().map { frame, value in
            let up = Float(min(max(frame - 100, 0), half)) / Float(2 * half)
            let down = Float(min(max(frame - 100 - half, 0), 2 * half)) / Float(2 * half)
            // The curve is 3u² - 2u³.
            let expected = up * up * (3 - 2 * up) - 0.5 * down * down * (3 - 2 * down)
            return Double(abs(value - expected))
          }.worst
        }.worst
      }
    ]
  ) { unit in
    Plot(
      "Output for a coarse fader, by smoothing", x: .seconds(1, step: 0.25),
      y: Plot.Axis("Output", 0...1, step: 0.2),
      try ([0, 20, 100] as [Float]).map { smoothing in
        let host = try unit.host(["smoothing": smoothing])
        let moves = (1...8).map { step in
          UnitHost.Event.midi([0xB0, 1, UInt8(step * 15)], at: step * 4800)
        }
        return Plot.Curve(
          "\(Int(smoothing)) ms", Plot.Point.over(host.render(frames: 48_000, events: moves)[0]))
      })
  }
}
