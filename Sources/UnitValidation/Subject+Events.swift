import UnitModel

extension Subject {
  /// Changes, ramps and notes at odd moments, the same for the same seed.
  func events(frames: Int, in format: UnitFormat, seed: UInt64 = 7) -> [UnitEvent] {
    var random = SeededGenerator(seed: seed)
    let changes = parameters(in: format).flatMap { parameter in
      (0..<4).map { _ in
        let ramp = Int.random(in: 0...900, using: &random)
        let isRamp = parameter.info.flags.contains(.rampable) && ramp > 100
        return UnitEvent.parameter(
          parameter.address, Self.value(of: parameter.info, using: &random),
          ramp: isRamp ? ramp : 0, at: Int.random(in: 0..<frames, using: &random))
      }
    }
    return changes + notes(frames: frames, seed: seed)
  }

  /// Notes that begin and end at odd moments, some held to the end; none for a unit without MIDI.
  func notes(frames: Int, seed: UInt64 = 7) -> [UnitEvent] {
    guard facts.hasMIDIInput else { return [] }
    var random = SeededGenerator(seed: seed + 1000)
    return (0..<12).flatMap { _ in
      let note = UInt8.random(in: 30..<100, using: &random)
      let start = Int.random(in: 0..<frames, using: &random)
      return [
        UnitEvent.midi([0x90, note, 100], at: start),
        UnitEvent.midi([0x80, note, 0], at: start + 700),
      ]
    }
  }

  /// A value that a person could set.
  static func value(of info: ParameterInfo, using random: inout SeededGenerator) -> Float {
    guard info.minimum < info.maximum else { return info.minimum }
    let value = Float.random(in: info.minimum...info.maximum, using: &random)
    return info.unit == .indexed || info.unit == .boolean ? value.rounded() : value
  }
}

/// Random numbers that a seed repeats: Sebastiano Vigna's SplitMix64, 2015.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
