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

  @Test func goesStraightToItsTarget() {
    var ramp = bl_ramp()
    bl_ramp_set(&ramp, 1)
    bl_ramp_start(&ramp, 3, 8)
    #expect(bl_ramp_is_moving(&ramp))
    for frame in 0...8 {
      #expect(bl_ramp_value(&ramp, UInt32(frame)) == 1 + 0.25 * Float(frame))
    }
    #expect(bl_ramp_value(&ramp, 9) == 3)
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
    #expect(bl_ramp_value(&ramp, 0) == 0.5)
    #expect(bl_ramp_value(&ramp, 10) == 0)
  }

  @Test func doesWhatEventsSay() {
    var ramp = bl_ramp()
    var event = bl_event()
    event.type = BL_EVENT_PARAMETER
    event.parameter = bl_parameter_event(address: 0, value: 2, ramp_duration: 50)
    bl_ramp_apply(&ramp, &event)
    #expect(bl_ramp_value(&ramp, 0) == 2)
    event.type = BL_EVENT_PARAMETER_RAMP
    event.parameter.value = 4
    bl_ramp_apply(&ramp, &event)
    #expect(bl_ramp_value(&ramp, 25) == 3)
    event.parameter = bl_parameter_event(address: 0, value: 5, ramp_duration: 0)
    bl_ramp_apply(&ramp, &event)
    #expect(bl_ramp_value(&ramp, 0) == 5)
  }
}
