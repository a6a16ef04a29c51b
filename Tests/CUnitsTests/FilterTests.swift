import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

/// The low-pass and the high-pass unit, which differ in their response alone.
enum FilterUnit: String, CaseIterable {
  case lowPass = "aufx/lpas/bkln"
  case highPass = "aufx/hpas/bkln"

  var unit: BuiltInUnit { BuiltInUnit(rawValue) }
  var isHighPass: Bool { self == .highPass }
}

@Suite struct FilterTests {
  /// Returns the low-pass and the high-pass output of trapezoidal integrators solved for the
  /// band-pass node (Zavalishin 2012, section 4.4), with the cutoff of each frame.
  private func reference(
    _ input: [Float], cutoffs: [Double], damping: Double, sampleRate: Double
  ) -> (low: [Double], high: [Double]) {
    var first = 0.0
    var second = 0.0
    var lows: [Double] = []
    var highs: [Double] = []
    for (sample, cutoff) in zip(input, cutoffs) {
      let g = tan(.pi * cutoff / sampleRate)
      let high = (Double(sample) - (g + damping) * first - second) / (1 + g * (g + damping))
      let band = g * high + first
      first = g * high + band
      let low = g * band + second
      second = g * band + low
      lows.append(low)
      highs.append(high)
    }
    return (lows, highs)
  }

  /// A cutoff goes from 500 Hz to 4 kHz and back five hundred times a second. The analogue filter
  /// is computed at sixteen times the sample rate; what differs is a frame of phase.
  @Test(arguments: FilterUnit.allCases)
  func followsItsCutoffAtAudioRate(_ filter: FilterUnit) throws {
    let (frames, fine) = (4800, 16)
    let host = try filter.unit.host(["cutoff": 500, "resonance": 6])
    let events = (0..<frames / 48).map {
      UnitHost.Event.parameter(
        host.address("cutoff"), $0 % 2 == 0 ? 4000 : 500, ramp: 48, at: 48 * $0)
    }
    let cutoffs: [Double] = (0..<frames * fine).map { frame in
      let part = Double(frame % (48 * fine)) / Double(48 * fine)
      let rises = frame / (48 * fine) % 2 == 0
      return 500 + 3500 * (rises ? part : 1 - part)
    }
    let rate = 48_000 * Double(fine)
    let signal: [Float] = (0..<frames * fine).map { frame in
      let turns = 220 * Double(frame) / rate
      return Float(0.3 * sin(2 * .pi * turns))
    }
    let heard = stride(from: 0, to: signal.count, by: fine).map { signal[$0] }
    let rendered = host.render(
      inputs: [[heard]], frames: frames, blockSizes: [64, 17], events: events)[0]
    let damping = FilterReference(cutoff: 0, resonance: 6).damping
    let reference = reference(signal, cutoffs: cutoffs, damping: damping, sampleRate: rate)
    let expected = filter.isHighPass ? reference.high : reference.low
    for frame in 0..<frames {
      let error = abs(Double(rendered[frame]) - expected[frame * fine])
      #expect(error < (filter.isHighPass ? 0.007 : 0.022), "frame \(frame)")
    }
  }

  /// No movement of the cutoff feeds energy in, whatever the slope.
  @Test(arguments: FilterUnit.allCases, [0, 3] as [Float])
  func staysStableUnderAnyCutoff(_ filter: FilterUnit, slope: Float) throws {
    let frames = 9600
    let host = try filter.unit.host(["cutoff": 100, "resonance": 20, "slope": slope])
    let events = (0..<frames / 24).map { step in
      let target: Float = step % 2 == 0 ? 20_000 : 20
      let ramp = 1 + step % 24
      return UnitHost.Event.parameter(host.address("cutoff"), target, ramp: ramp, at: 24 * step)
    }
    let noise = Signals.noise(frames: frames / 2) + Signals.constant(0, frames: frames / 2)
    let rendered = host.play(noise, events: events)
    #expect(rendered.allSatisfy { abs($0) < 50 })
    #expect(rendered.dropFirst(frames - 480).allSatisfy { abs($0) < 1e-4 })
  }

  /// A slope that changes is a fade, not a step.
  @Test(arguments: FilterUnit.allCases)
  func slopesChangeWithoutAClick(_ filter: FilterUnit) throws {
    let host = try filter.unit.host(["cutoff": 1000])
    let event = UnitHost.Event.parameter(host.address("slope"), 3, ramp: 0, at: 4801)
    let rendered = host.play(Signals.sine(frequency: 1000, frames: 9600), events: [event])
    #expect(Signals.largestStep(rendered.dropFirst(480)) < 0.72 * 2 * sin(.pi / 48))
    let amplitude = Spectrum.amplitude([Float](rendered.suffix(2400)), at: 1000)
    #expect(abs(amplitude - 0.5.squareRoot()) < 1e-3)
  }

  @Test(arguments: FilterUnit.allCases)
  func cutoffsBeyondTheSampleRateAreHeld(_ filter: FilterUnit) throws {
    let host = try filter.unit.host(sampleRate: 8000, ["cutoff": 20_000, "resonance": 40])
    let response = FrequencyResponse(host, frames: 20_000)
    let reference = FilterReference(cutoff: 0.499 * 8000, resonance: 40)
    for frequency in [100.0, 1000, 3000] {
      let expected = reference.gain(at: frequency, isHighPass: filter.isHighPass)
      #expect(abs(response.gain(at: frequency) - expected) < 0.05)
    }
  }

  @Test(arguments: FilterUnit.allCases)
  func channelsDoNotMeet(_ filter: FilterUnit) throws {
    let host = try filter.unit.host(channels: 3)
    let alone = try filter.unit.host()
    let signals = (0..<3).map { Signals.noise(frames: 500, seed: UInt64($0 + 1)) }
    for (channel, signal) in zip(host.play(signals), signals) {
      alone.reset()
      #expect(identical([channel], [alone.play(signal)]))
    }
  }

  @Test(arguments: FilterUnit.allCases)
  func theTailReachesMinusSixtyDecibels(_ filter: FilterUnit) throws {
    // A high-pass leaves little of the slow pole of a damped filter.
    for resonance: Float in filter.isHighPass ? [0, 30] : [-20, 0, 30] {
      let host = try filter.unit.host(["cutoff": 300, "resonance": resonance])
      let tail = Int(host.tailTime * 48_000)
      let impulse = host.impulseResponse(frames: 2 * tail)
      let loudest = impulse.dropFirst(1).map(abs).max() ?? 0
      #expect((impulse.dropFirst(tail + 1).map(abs).max() ?? 1) < loudest / 500)
      #expect((impulse.dropFirst(tail / 4 + 1).map(abs).max() ?? 0) > loudest / 500)
    }
  }
}
