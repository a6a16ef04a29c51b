/// The differential equations of the circuits that the compressor's styles stand for, integrated in
/// small steps. Levels and reductions in dB, times in ms.
struct CompressorCircuit {
  enum Style: Float {
    case fet = 1
    case opto, variMu
  }

  /// The parameters of all measurements.
  private static let (threshold, ratio, attack, release) = (-30.0, 6.0, 4.0, 60.0)

  /// Levels and how long each stands.
  private static let programme: [(level: Double, time: Double)] = [
    (-2, 40), (-60, 200), (-5, 1500), (-18, 300), (-80, 700), (-10, 100), (-27, 200), (-90, 500),
  ]

  private var (fast, slow) = (0.0, 0.0)

  /// Returns the largest difference of the unit's gain from the circuit's during the programme, dB.
  /// The circuit's reduction is the fast value, or `held` of the slow one where that is more.
  static func error(
    of unit: BuiltInUnit, _ style: Style, held: Double, automatic: Bool = false
  ) throws -> Double {
    let host = try unit.host([
      "style": style.rawValue, "threshold": Float(threshold), "ratio": Float(ratio), "knee": 0,
      "attack": Float(attack), "release": Float(release), "hold": 0,
      "auto_release": automatic ? 1 : 0,
    ])
    let levels = programme.flatMap { [Double](repeating: $0.level, count: Int($0.time * 48)) }
    let input = levels.map { Float(Level.amplitude($0)) }
    let output = host.play(input)
    var circuit = CompressorCircuit()
    return Deviation.worst(
      levels.indices.map { frame -> Double in
        for _ in 0..<4 { circuit.move(style, over: levels[frame] - threshold, 1 / 48.0 / 4) }
        return Level.gain(from: input[frame], to: output[frame])
          + max(circuit.fast, held * circuit.slow)
      })
  }

  /// Moves on by a step of time, at a level above the threshold.
  private mutating func move(_ style: Style, over: Double, _ step: Double) {
    let excess = max(0, over)
    let target = (1 - 1 / Self.ratio) * excess
    switch style {
    case .fet:
      // The detector behind the gain asks for ratio - 1 dB a dB by which the output is too loud.
      let asked = (Self.ratio - 1) * max(0, over - fast)
      fast += (asked - fast) * step / (asked > fast ? Self.attack : Self.release)
    case .opto: follow(target, step, slowness: 16)
    case .variMu: follow(target * excess / (excess + 12), step, slowness: 32)
    }
  }

  /// The fast value goes to `target` in the attack's or the release's time, the slow one to it.
  private mutating func follow(_ target: Double, _ step: Double, slowness: Double) {
    fast += (target - fast) * step / (target > fast ? Self.attack : Self.release)
    slow += (fast - slow) * step / (fast > slow ? 2000 : Self.release * slowness)
  }
}
