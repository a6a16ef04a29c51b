import AudioUnits
import BacklineTestSupport
import Testing
import UnitModel

/// Expressions change single notes, in this process and in the unit's own.
@Suite struct ExpressionTests {
  private func synth(
    _ name: String = "aumu/poly/bkln", options: InstantiationOptions = []
  ) async throws -> UnitRig {
    try await UnitRig(name, options: options) { unit in
      // Set the synthesizer to a steady sine.
      for (keyPath, value) in [
        "osc1.shape": Float(0), "osc2.level": 0, "drift": 0, "filter.mode": 5,
      ]
      where unit.facts.parameter(atKeyPath: keyPath) != nil {
        try unit.setParameter(
          try #require(unit.facts.parameter(atKeyPath: keyPath)).address, to: value)
      }
    }
  }

  /// Returns the amplitude of a frequency in the sound, from frame 12,000 on.
  private func level(_ frequency: Double, in sound: [Float]) -> Double {
    SineFit(sound.dropFirst(12_000), frequency: frequency, sampleRate: 48_000).amplitude
  }

  @Test(arguments: [[], .loadOutOfProcess] as [InstantiationOptions])
  func oneNoteMovesAlone(options: InstantiationOptions) async throws {
    var rig = try await synth(options: options)
    try rig.unit.scheduleNote(1, key: 57)
    try rig.unit.scheduleNote(2, key: 69)
    try rig.unit.scheduleExpression(.pitch, to: 7, of: .identifier(2))
    let sound = try rig.render(frames: 48_000)[0]
    let fifth = 440 * exp2(7.0 / 12)
    #expect(level(220, in: sound) > 0.01)
    #expect(level(fifth, in: sound) > 0.01)
    #expect(level(440, in: sound) < 0.02 * level(fifth, in: sound))
  }

  @Test func aNoteIsFoundByItsKeyAndChannel() async throws {
    var rig = try await synth()
    try rig.unit.scheduleMIDI(bytes: [0x90, 57, 100])
    try rig.unit.scheduleMIDI(bytes: [0x91, 69, 100])
    try rig.unit.scheduleExpression(.gain, to: 0, of: .key(57, channel: 0))
    try rig.unit.scheduleExpression(.gain, to: 0, of: .key(69, channel: 0))
    let sound = try rig.render(frames: 48_000)[0]
    #expect(level(220, in: sound) < 1e-4 && level(440, in: sound) > 0.01)
  }

  @Test func aNoteIsPanned() async throws {
    var rig = try await synth()
    try rig.unit.scheduleNote(1, key: 57)
    try rig.unit.scheduleNote(2, key: 69)
    try rig.unit.scheduleExpression(.pan, to: -1, of: .identifier(1))
    try rig.unit.scheduleExpression(.pan, to: 9, of: .identifier(2))
    let sound = try rig.render(frames: 48_000)
    #expect(level(220, in: sound[0]) > 0.01 && level(220, in: sound[1]) < 1e-4)
    #expect(level(440, in: sound[1]) > 0.01 && level(440, in: sound[0]) < 1e-4)
  }

  /// A note that starts again has no expression.
  @Test func expressionsEndWithTheirNote() async throws {
    var rig = try await synth()
    try rig.unit.scheduleNote(1, key: 69)
    try rig.unit.scheduleExpression(.gain, to: 0, of: .identifier(1))
    _ = try rig.render(frames: 4800)
    try rig.unit.scheduleMIDI(bytes: [0x80, 69, 0])
    _ = try rig.render(frames: 48_000)
    try rig.unit.scheduleNote(1, key: 69)
    #expect(level(440, in: try rig.render(frames: 48_000)[0]) > 0.01)
  }

  /// A unit that does not follow expressions refuses them.
  @Test func otherUnitsRefuse() async throws {
    let drums = try await UnitRig("aumu/drum/bkln").unit
    #expect(!drums.followsExpressions)
    #expect(throws: AudioUnitError.self) {
      try drums.scheduleExpression(.gain, to: 0, of: .key(36))
    }
    let poly = try await synth().unit
    #expect(throws: AudioUnitError.self) {
      try poly.scheduleExpression(.gain, to: .nan, of: .key(36))
    }
    #expect(throws: AudioUnitError.self) { try poly.scheduleNote(0, key: 60) }
    #expect(throws: AudioUnitError.self) { try poly.scheduleNote(1, key: 128) }
  }

  @Test(arguments: ["aumu/fmop/bkln", "aumu/sine/bkln"])
  func otherInstrumentsFollow(name: String) async throws {
    var rig = try await UnitRig(name)
    try rig.unit.scheduleNote(3, key: 69)
    try rig.unit.scheduleExpression(.gain, to: 0, of: .identifier(3))
    #expect(try rig.render(frames: 48_000)[0].dropFirst(4800).allSatisfy { abs($0) < 1e-4 })
    try rig.unit.scheduleExpression(.gain, to: 1, of: .identifier(3))
    #expect(try rig.render(frames: 48_000)[0].dropFirst(4800).contains { abs($0) > 0.01 })
  }
}
