import CUnit
import Testing

@Suite struct RampTests {
  @Test func standsWhereItIsSet() {
    var ramp = bl_ramp()
    bl_ramp_set(&ramp, 0.3)
    #expect(!bl_ramp_is_moving(&ramp))
    #expect(bl_ramp_value(&ramp, 0) == 0.3)
    #expect(bl_ramp_value(&ramp, 100_000) == 0.3)
  }

  @Test func aLineIsStraight() {
    var ramp = bl_ramp()
    bl_ramp_set(&ramp, 1)
    bl_ramp_start_line(&ramp, 3, 8)
    #expect(bl_ramp_is_moving(&ramp))
    for frame in 0...8 {
      #expect(bl_ramp_value(&ramp, UInt32(frame)) == 1 + 0.25 * Float(frame))
    }
    #expect(bl_ramp_value(&ramp, 9) == 3)
  }

  /// The curve is 3u² - 2u³.
  @Test(arguments: [2, 960, 48_000, 0x7fff_ffff] as [UInt32])
  func startsAndEndsAtRest(_ duration: UInt32) {
    var ramp = bl_ramp()
    bl_ramp_set(&ramp, 1)
    bl_ramp_start(&ramp, 3, duration)
    for part in 0...16 {
      let frame = UInt32(UInt64(duration) * UInt64(part) / 16)
      let u = Double(frame) / Double(duration)
      let expected = 1 + 2 * u * u * (3 - 2 * u)
      #expect(abs(Double(bl_ramp_value(&ramp, frame)) - expected) < 2e-6)
    }
  }

  /// A ramp that is restarted half-way keeps its slope.
  @Test(arguments: [1.2, 3, 100] as [Float]) func goesOnWithItsSlope(_ value: Float) {
    var ramp = bl_ramp()
    bl_ramp_start(&ramp, 1, 1000)
    bl_ramp_advance(&ramp, 499)
    let before = bl_ramp_value(&ramp, 1) - bl_ramp_value(&ramp, 0)
    bl_ramp_advance(&ramp, 1)
    bl_ramp_start(&ramp, value, 1000)
    let after = bl_ramp_value(&ramp, 1) - bl_ramp_value(&ramp, 0)
    #expect(abs(after - before) < 0.01 * before * max(1, value))
  }

  @Test func staysBetweenTheValuesItIsGiven() {
    var random = SystemRandomNumberGenerator()
    var ramp = bl_ramp()
    // Test short ramps as well: a restarted ramp may have two frames left.
    for longest in [8, 1000] as [UInt32] {
      for _ in 0..<5000 {
        let value = Float.random(in: 0...1, using: &random)
        let start = bl_ramp_value(&ramp, 0)
        bl_ramp_start(&ramp, value, UInt32.random(in: 0...longest, using: &random))
        for frame in 0...ramp.remaining {
          let present = bl_ramp_value(&ramp, frame)
          guard present > min(start, value) - 1e-6, present < max(start, value) + 1e-6 else {
            Issue.record("\(start) to \(value): \(present) at frame \(frame)")
            break
          }
        }
        bl_ramp_advance(&ramp, UInt32.random(in: 1...max(ramp.remaining, 1), using: &random))
      }
    }
  }

  @Test func endsExactlyThere() {
    var ramp = bl_ramp()
    bl_ramp_set(&ramp, 0.1)
    bl_ramp_start(&ramp, 0.7, 777)
    bl_ramp_advance(&ramp, 777)
    #expect(bl_ramp_value(&ramp, 0) == 0.7)
    #expect(!bl_ramp_is_moving(&ramp))
  }

  @Test(arguments: [1, 3, 64, 100, 1000]) func doesNotDependOnTheCut(_ size: Int) {
    var whole = bl_ramp()
    bl_ramp_start(&whole, 0.9, 700)
    var pieces = whole
    var expected = [Float](repeating: 0, count: 1000)
    bl_ramp_fill(&whole, &expected, 1000)
    var values: [Float] = []
    while values.count < 1000 {
      let count = min(size, 1000 - values.count)
      var piece = [Float](repeating: 0, count: count)
      bl_ramp_fill(&pieces, &piece, UInt32(count))
      values += piece
    }
    #expect(values.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test func turnsRoundFromWhereItStands() {
    var ramp = bl_ramp()
    bl_ramp_start(&ramp, 1, 100)
    bl_ramp_advance(&ramp, 50)
    bl_ramp_start(&ramp, 0, 10)
    #expect(abs(bl_ramp_value(&ramp, 0) - 0.5) < 1e-6)
    #expect(bl_ramp_value(&ramp, 10) == 0)
  }

  @Test func doesWhatEventsSay() {
    var ramp = bl_ramp()
    var event = bl_event()
    event.type = BL_EVENT_PARAMETER
    event.parameter = bl_parameter_event(address: 0, value: 2, ramp_duration: 50, is_line: false)
    bl_ramp_apply(&ramp, &event)
    #expect(bl_ramp_value(&ramp, 0) == 2)
    event.type = BL_EVENT_PARAMETER_RAMP
    event.parameter.value = 4
    bl_ramp_apply(&ramp, &event)
    #expect(abs(bl_ramp_value(&ramp, 10) - 2.208) < 1e-6)
    bl_ramp_set(&ramp, 2)
    event.parameter.is_line = true
    bl_ramp_apply(&ramp, &event)
    #expect(abs(bl_ramp_value(&ramp, 10) - 2.4) < 1e-6)
    event.parameter = bl_parameter_event(address: 0, value: 5, ramp_duration: 0, is_line: false)
    bl_ramp_apply(&ramp, &event)
    #expect(bl_ramp_value(&ramp, 0) == 5)
  }
}
