extension MeasuredUnit {
  static let macro = MeasuredUnit(
    "augn/macr/bkln", material: nil,
    figures: [
      Figure("Output at 37 %", in: "", .near(0.37, within: 1e-6)) { unit in
        Double(try unit.host(["value": 37]).render(frames: 64)[0].last ?? 0)
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
