import BacklineTestSupport
import CUnit
import Testing
import UnitMeasurement

@Suite struct GainTests {
  private let unit = BuiltInUnit("aufx/gain/bkln")

  @Test func theBottomIsSilent() throws {
    let rendered = try unit.host(["gain": -96]).play(Signals.noise(frames: 100))
    #expect(rendered.allSatisfy { $0 == 0 })
  }

  @Test func aRampIsStraightInDecibels() throws {
    let host = try unit.host()
    let event = UnitHost.Event.parameter(host.address("gain"), -24, ramp: 480, at: 100)
    let rendered = host.play(Signals.constant(1, frames: 700), events: [event])
    for (frame, value) in rendered.enumerated() {
      let decibels = -24 * Double(min(max(frame - 100, 0), 480)) / 480
      #expect(abs(Double(value) - Level.amplitude(decibels)) < 2e-6, "frame \(frame)")
    }
  }

  @Test func longerCyclesThanAgreedAreRefused() throws {
    let host = try UnitHost(unit.descriptor, maximumFrames: 64)
    let render = unit.facts.render
    var timestamp = bl_timestamp()
    var output = bl_buffers()
    var pull = bl_render_host()
    #expect(
      render?(host.unit, 0, &timestamp, 65, 0, &output, nil, &pull)
        == bl_status(BL_ERROR_TOO_MANY_FRAMES))
    #expect(
      render?(host.unit, 0, &timestamp, 64, 1, &output, nil, &pull)
        == bl_status(BL_ERROR_NO_SUCH_ELEMENT))
  }
}
