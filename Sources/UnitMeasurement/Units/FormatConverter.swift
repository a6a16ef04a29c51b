extension MeasuredUnit {
  static let formatConverter = MeasuredUnit(
    "aufc/chan/bkln", presetMaterial: ["Encode M/S": nil, "Decode M/S": nil],
    figures: [
      Figure(
        "Gains of mixes of 1 to 32 channels: farthest from Rec. ITU-R BS.775-3", in: "millionths",
        .atMost(1)
      ) { unit in
        // Counts without a layout go straight.
        let straight = [(7, 7), (32, 32), (16, 3), (2, 9)].map { inputs, outputs -> Mix in
          let gains = (0..<outputs).map { row in (0..<inputs).map { $0 == row ? 1.0 : 0 } }
          return ([:], gains)
        }
        return try 1e6 * Deviation.worst((mixes + straight).flatMap { try errors(of: unit, $0) })
      }
    ]
  ) { unit in
    Plot(
      "Down-mix of 5.1 to stereo: the same tone on the left and on the centre, by the centre's level",
      x: Plot.Axis("Centre (dB)", -40...0, step: 10),
      y: .decibels(-6...6, step: 2, "Left output"),
      try [("As it is", Float(0)), ("Normalised", 1)].map { name, normalise in
        Plot.Curve(
          name,
          try stride(from: -40, through: 0, by: 2).map { level in
            let channels: [[Float]] = [[1], [0], [1], [0], [0], [0]]
            let gain = try mixed(
              unit, channels, to: 2,
              ["centre": Float(level), "surround": -96, "normalise": normalise])
            return Plot.Point(Double(level), Level.decibels(Double(gain[0][0])))
          })
      })
  }

  /// The gains are outputs × inputs.
  private typealias Mix = (parameters: [String: Float], gains: [[Double]])

  private static let half = 0.5.squareRoot()
  private static let normalising = 1 / (1 + 2 * half)
  private static let softCentre = Level.amplitude(-26)

  /// The channels are in the order of WAVE files.
  private static let mixes: [Mix] = [
    ([:], [[half, half]]),
    ([:], [[half, half, 1, 0, 0.5, 0.5]]),
    ([:], fiveOneToStereo),
    ([:], [[1, 0, half, 0, half, 0, half, 0], [0, 1, half, 0, 0, half, 0, half]]),
    ([:], [[half], [half]]),
    ([:], [[0], [0], [1], [0], [0], [0]]),
    ([:], [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]]),
    (
      [:],
      [
        [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, half, 0], [0, 0, 0, 0, 0, half], [0, 0, 0, 0, half, 0],
        [0, 0, 0, 0, 0, half],
      ]
    ),
    (
      ["centre": -6, "surround": -96, "lfe": 0, "level": -20],
      [[0.1, 0, softCentre, 0.1, 0, 0], [0, 0.1, softCentre, 0.1, 0, 0]]
    ),
    (["normalise": 1], fiveOneToStereo.map { row in row.map { $0 * normalising } }),
    (["mode": 1], [[0.5, 0.5], [0.5, -0.5]]),
    (["mode": 2], [[1, 1], [1, -1]]),
  ]

  private static let fiveOneToStereo = [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]]

  /// Returns the differences of the gains: an impulse on one input after the other shows each. What
  /// should be silent is so wholly.
  private static func errors(of unit: BuiltInUnit, _ mix: Mix) throws -> [Double] {
    let inputs = mix.gains[0].count
    let impulses = (0..<inputs).map { input in (0..<inputs).map { $0 == input ? Float(1) : 0 } }
    let found = try mixed(unit, impulses, to: mix.gains.count, mix.parameters)
    guard found.map(\.count) == mix.gains.map(\.count) else { return [.infinity] }
    return zip(found.joined(), mix.gains.joined()).map { gain, goal in
      goal == 0 && gain != 0 ? .infinity : Double(gain) - goal
    }
  }

  private static func mixed(
    _ unit: BuiltInUnit, _ channels: [[Float]], to outputs: Int, _ parameters: [String: Float]
  ) throws -> [[Float]] {
    try UnitHost(
      unit.descriptor, inputChannels: [channels.count], outputChannels: [outputs],
      parameters: parameters
    ).play(channels)
  }
}
