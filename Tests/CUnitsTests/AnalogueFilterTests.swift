import BacklineTestSupport
import Testing
import UnitMeasurement

@Suite struct AnalogueFilterTests {
  private let unit = BuiltInUnit("aufx/filt/bkln")

  @Test(arguments: [3, 5] as [Float]) func aSelfOscillationHasNoEnd(mode: Float) throws {
    #expect(try unit.host(["mode": mode, "resonance": 100]).tailTime == .infinity)
  }

  @Test func staysWithinBoundsUnderAnyMovement() throws {
    let frames = 9600
    let host = try unit.host(["resonance": 100, "drive": 36])
    let events = (0..<frames / 24).flatMap { step in
      let target: Float = step % 2 == 0 ? 20_000 : 10
      return [
        UnitHost.Event.parameter(host.address("cutoff"), target, ramp: step % 24, at: 24 * step),
        .parameter(host.address("mode"), Float(step % 8), ramp: 0, at: 24 * step),
      ]
    }
    let noise = Signals.noise(frames: frames).map { 10 * $0 }
    let sound = host.render(inputs: [[noise]], frames: frames, blockSizes: [64], events: events)
    #expect(sound[0].allSatisfy { abs($0) < 20 })
    host.reset()
    let again = host.render(inputs: [[noise]], frames: frames, blockSizes: [17], events: events)
    #expect(identical(sound, again))
  }
}
