extension MeasuredUnit {
  static let macro = MeasuredUnit(
    "augn/macr/bkln", material: nil,
    figures: [
      Figure("Output while the knob moves, farthest from it", in: "", .atMost(1e-6)) { unit in
        try [[512], [1], [17, 480]].map { blocks in
          let host = try unit.host(["value": 20])
          let output = host.render(
            frames: 4000, blockSizes: blocks,
            events: [
              .parameter(host.address("value"), 80, ramp: 1000, at: 1000),
              .parameter(host.address("value"), 100, at: 3000),
            ])[0]
          return output.enumerated().map { frame, value in
            let moved = min(max(Float(frame) - 1000, 0), 1000) / 1000
            return Double(abs(value - (frame < 3000 ? 0.2 + 0.6 * moved : 1)))
          }.worst
        }.worst
      }
    ]
  ) { unit in
    let host = try unit.host(["value": 10])
    let value = host.address("value")
    let output = host.render(
      frames: 48_000,
      events: [
        .parameter(value, 80, ramp: 12_000, at: 6000),
        .parameter(value, 30, ramp: 4800, at: 30_000),
      ])[0]
    return Plot(
      "Output while the knob is turned", x: .seconds(1, step: 0.25),
      y: Plot.Axis("Output", 0...1, step: 0.2), [Plot.Curve("Output", Plot.Point.over(output))])
  }
}
