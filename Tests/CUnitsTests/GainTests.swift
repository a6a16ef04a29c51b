import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct GainTests {
  private let unit = BuiltInUnit("aufx/gain/bkln")

  @Test func zeroDecibelsChangesNothing() throws {
    let noise = [Signals.noise(frames: 1000, seed: 1), Signals.noise(frames: 1000, seed: 2)]
    let host = try UnitHost(unit.descriptor)
    #expect(identical(host.render(inputs: [noise], frames: 1000), noise))
  }

  @Test func decibelsFollowTheirFormula() throws {
    let host = try UnitHost(unit.descriptor, inputChannels: [1], outputChannels: [1])
    for decibels in stride(from: Float(-95.9), through: 24, by: 0.37) {
      host.set("gain", decibels)
      let factor = host.render(inputs: [[[1]]], frames: 1)[0][0]
      let expected = pow(10, Double(decibels) / 20)
      #expect(abs(Double(factor) / expected - 1) < 1e-6, "\(decibels) dB")
    }
  }

  @Test func theBottomIsSilent() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["gain": -96])
    let noise = Signals.noise(frames: 100)
    let rendered = host.render(inputs: [[noise, noise]], frames: 100)
    #expect(rendered.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test func aRampIsStraightInDecibels() throws {
    let host = try UnitHost(unit.descriptor, inputChannels: [1], outputChannels: [1])
    let event = UnitHost.Event.parameter(host.address("gain"), -24, ramp: 480, at: 100)
    let rendered = host.render(
      inputs: [[Signals.constant(1, frames: 700)]], frames: 700, events: [event])[0]
    for frame in 0..<700 {
      let decibels = -24 * Double(min(max(frame - 100, 0), 480)) / 480
      #expect(abs(Double(rendered[frame]) - pow(10, decibels / 20)) < 2e-6, "frame \(frame)")
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
