import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// Whatever is turned, switched or played, and however fast: no unit becomes louder than it can be
/// where nothing moves, and none grows when its input is over.
@Suite struct RandomMotionTests {
  private static let units = BuiltInUnit.all.filter(\.hasSound)

  /// Half a minute of full scale.
  @Test(arguments: units) func isNeverLouderThanItsGains(_ unit: BuiltInUnit) throws {
    var motion = RandomMotion(of: unit, seed: 1)
    let peaks = try motion.peaks(seconds: 30, level: 1, silence: 30)
    expect(peaks, within: unit.bound(gains: true), own: unit.ownSound(loops: true), of: unit)
  }

  /// Three soft seconds and half a minute of silence. Gains stay as they are, and a feedback is 90 %
  /// at most.
  @Test(arguments: units) func neverGrowsInSilence(_ unit: BuiltInUnit) throws {
    var motion = RandomMotion(of: unit, seed: 2) { parameter in
      if parameter.isGain { return nil }
      let limit: Float = parameter.isFeedback ? 90 : .infinity
      return max(parameter.minimum, -limit)...min(parameter.maximum, limit)
    }
    let peaks = try motion.peaks(seconds: 33, level: 0.01, silence: 3)
    let own = unit.ownSound(loops: false)
    expect(peaks, within: unit.bound(gains: false), own: own, of: unit)
  }

  private func expect(
    _ peaks: [(input: Float, output: Float)], within bound: Float, own: Float, of unit: BuiltInUnit
  ) {
    var input = own
    for (block, peak) in peaks.enumerated() {
      input = max(input, peak.input)
      let over = 20 * log10(peak.output / input)
      guard over > bound else { continue }
      let time = Double(block) * 512 / Double(RandomMotion.sampleRate)
      Issue.record("\(unit) at \(time) s: \(over) dB above its input, not \(bound)")
      return
    }
  }
}

extension BuiltInUnit {
  fileprivate var hasSound: Bool { !outputBusses.isEmpty && facts.preflight == nil }

  /// What it reaches by itself where its input is softer: full scale, of those that play, ring
  /// without input, round up to it, move other units' parameters or, where `loops`, sum up what
  /// goes round in them; else its hiss, or -60 dB.
  fileprivate func ownSound(loops: Bool) -> Float {
    let controls = (0...).lazy.map { facts.tags[$0] }.prefix { $0 != nil }
      .contains { String(cString: $0!) == "Control" }
    let isLoud = parameters.contains {
      $0.name == "bits" || ($0.name == "resonance" && $0.unit == BL_UNIT_PERCENT)
        || (loops && $0.isFeedback && $0.maximum >= 100)
    }
    if inputBusses.isEmpty || controls || isLoud { return 1 }
    return parameters.first { $0.name == "hiss" }.map { pow(10, $0.maximum / 20) } ?? 0.001
  }

  /// How far the output's peaks may be above those of the input, or of the unit's own sound, dB: by
  /// all gains of its table at once, as far as they go or as they are by default, by its resonances,
  /// and by 12 dB for the peaks of sums.
  fileprivate func bound(gains: Bool) -> Float {
    let table = parameters.map {
      $0.isGain && !gains ? max(0, $0.default_value) : $0.most(loops: gains)
    }
    return 12 + table.reduce(0, +) + (Self.others[description] ?? 0)
  }

  /// What no table says. dB
  private static let others: [String: Float] = [
    // A decay of 3 × 30 s beside that of 1.8 s, at which it is as loud as its input.
    "aufx/rvrb/bkln": 17,
    // 1 / √(1 − g²) at an echo every 0.1 s for 6 s, and the level of 1.6.
    "aufx/sprg/bkln": 11,
    // Modulator and carrier in one of 40 bands: 8 √(40 · 12 kHz / 20 kHz).
    "aufx/voco/bkln": 32,
    // Sixteen keys at once.
    "aumu/sine/bkln": 12, "aumu/poly/bkln": 12,
  ]
}

extension bl_parameter_info {
  fileprivate var name: String { String(cString: identifier) }

  fileprivate var isFeedback: Bool { name == "feedback" && unit == BL_UNIT_PERCENT }

  /// Of decibels these say how far something goes down, or how wide it bends.
  private static let cuts: Set = ["duck", "range", "knee", "hysteresis", "amount"]

  fileprivate var isGain: Bool {
    let isLevel = unit == BL_UNIT_DECIBELS && !Self.cuts.contains(name) && maximum > 0
    return name == "auto_make_up" || (isLevel && flags & UInt32(BL_PARAMETER_WRITABLE) != 0)
  }

  /// How much it adds at most, a feedback up to its end (of 100 % and more its limiter takes care) or
  /// to 90 %. dB
  fileprivate func most(loops: Bool) -> Float {
    switch name {
    // It gives back half of what full scale loses, which may be 60 dB.
    case "auto_make_up": return 30
    // Grains that are alike add up, and are turned down as if they were not.
    case "grains": return 10 * log10(maximum)
    case "voices": return 20 * log10(maximum)
    // A resonance; of bands, the first for all.
    case "q" where group == nil || String(cString: group) == "band1": return 20 * log10(maximum)
    // Of five bands together 60 dB: 1 : 2 from a threshold of -60 dB up.
    case "ratio" where minimum < 1: return 12
    // The gain of an amplifier.
    case "drive" where unit == BL_UNIT_PERCENT, "gain" where unit == BL_UNIT_PERCENT: return 40
    // The sides.
    case "width" where maximum > 100: return 20 * log10(maximum / 100)
    case "feedback" where isFeedback:
      let share = loops ? maximum : min(maximum, 90)
      return share < 100 ? -20 * log10(1 - share / 100) : 0
    default: return isGain ? maximum : 0
    }
  }
}
