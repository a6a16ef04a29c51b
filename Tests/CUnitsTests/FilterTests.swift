import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The low-pass and the high-pass unit, which differ in their response alone.
enum FilterUnit: String, CaseIterable {
  case lowPass = "aufx/lpas/bkln"
  case highPass = "aufx/hpas/bkln"

  var descriptor: UnsafePointer<bl_unit_descriptor> { BuiltInUnit(rawValue).descriptor }
  var isHighPass: Bool { self == .highPass }
}

@Suite struct FilterTests {
  @Test(
    arguments: FilterUnit.allCases,
    [
      (60, 0, 12), (200, 12, 48), (1000, 0, 24), (1000, -20, 12), (3000, 30, 36), (8000, 6, 12),
      (8000, 0, 48), (20_000, 0, 12),
    ] as [(Double, Double, Int)])
  func respondsLikeItsPrototype(_ unit: FilterUnit, settings: (Double, Double, Int)) throws {
    let (cutoff, resonance, slope) = settings
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: [
        "cutoff": Float(cutoff), "resonance": Float(resonance), "slope": Float(slope / 12 - 1),
      ])
    let frames = 40_000
    let impulse = host.render(
      inputs: [[Signals.impulse(frames: frames)]], frames: frames, blockSizes: [64, 480])[0]
    let reference = FilterReference(cutoff: cutoff, resonance: resonance, slope: slope)
    for frequency in [20, 55, cutoff / 2, cutoff * 0.98, cutoff, cutoff * 1.1, 12_345, 16_000]
    where frequency <= 18_000 {
      let measured = Spectrum.transform(impulse, at: frequency).magnitude
      let expected = reference.response(at: frequency, isHighPass: unit.isHighPass).magnitude
      guard expected > 1e-4 else {
        #expect(measured < 1.1e-4, "\(frequency) Hz")
        continue
      }
      #expect(abs(20 * log10(measured / expected)) < 0.05, "\(frequency) Hz")
    }
  }

  @Test(arguments: FilterUnit.allCases)
  func aButterworthFilterIsThreeDecibelsDownAtItsCutoff(_ unit: FilterUnit) throws {
    let host = try UnitHost(unit.descriptor, parameters: ["cutoff": 500, "resonance": 0])
    let signal = Signals.sine(frequency: 500, frames: 14_400)
    let rendered = host.render(inputs: [[signal, signal]], frames: 14_400)
    for channel in rendered {
      let amplitude = Spectrum.amplitude([Float](channel.dropFirst(4800)), at: 500)
      #expect(abs(amplitude - 0.5.squareRoot()) < 1e-4)
    }
  }

  /// Against the analogue filter, by sixteen times the sample rate: a cutoff that goes from 500 Hz
  /// to 4 kHz and back five hundred times a second. What remains is a frame of phase.
  @Test(arguments: FilterUnit.allCases)
  func followsItsCutoffAtAudioRate(_ unit: FilterUnit) throws {
    let (frames, fine) = (4800, 16)
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["cutoff": 500, "resonance": 6])
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
    let reference = FilterReference.run(
      signal, cutoffs: cutoffs, damping: damping, sampleRate: rate)
    let expected = unit.isHighPass ? reference.high : reference.low
    for frame in 0..<frames {
      let error = abs(Double(rendered[frame]) - expected[frame * fine])
      #expect(error < (unit.isHighPass ? 0.007 : 0.022), "frame \(frame)")
    }
  }

  /// No movement of the cutoff feeds energy in, whatever the slope.
  @Test(arguments: FilterUnit.allCases, [0, 3] as [Float])
  func staysStableUnderAnyCutoff(_ unit: FilterUnit, slope: Float) throws {
    let frames = 9600
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["cutoff": 100, "resonance": 20, "slope": slope])
    let events = (0..<frames / 24).map { step in
      let target: Float = step % 2 == 0 ? 20_000 : 20
      let ramp = 1 + step % 24
      return UnitHost.Event.parameter(host.address("cutoff"), target, ramp: ramp, at: 24 * step)
    }
    let noise = Signals.noise(frames: frames / 2) + Signals.constant(0, frames: frames / 2)
    let rendered = host.render(inputs: [[noise]], frames: frames, events: events)[0]
    #expect(rendered.allSatisfy { abs($0) < 50 })
    #expect(rendered.dropFirst(frames - 480).allSatisfy { abs($0) < 1e-4 })
  }

  /// A slope that changes is a fade, not a step.
  @Test(arguments: FilterUnit.allCases)
  func slopesChangeWithoutAClick(_ unit: FilterUnit) throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: ["cutoff": 1000])
    let event = UnitHost.Event.parameter(host.address("slope"), 3, ramp: 0, at: 4801)
    let signal = Signals.sine(frequency: 1000, frames: 9600)
    let rendered = host.render(inputs: [[signal]], frames: 9600, events: [event])[0]
    #expect(Signals.largestStep(rendered.dropFirst(480)) < 0.72 * 2 * sin(.pi / 48))
    let amplitude = Spectrum.amplitude([Float](rendered.suffix(2400)), at: 1000)
    #expect(abs(amplitude - 0.5.squareRoot()) < 1e-3)
  }

  @Test(arguments: FilterUnit.allCases)
  func cutoffsBeyondTheSampleRateAreHeld(_ unit: FilterUnit) throws {
    let host = try UnitHost(
      unit.descriptor, sampleRate: 8000, inputChannels: [1], outputChannels: [1],
      parameters: ["cutoff": 20_000, "resonance": 40])
    let impulse = host.render(inputs: [[Signals.impulse(frames: 20_000)]], frames: 20_000)[0]
    let reference = FilterReference(cutoff: 0.499 * 8000, resonance: 40)
    for frequency in [100.0, 1000, 3000] {
      let measured = Spectrum.transform(impulse, at: frequency, sampleRate: 8000).magnitude
      let expected = reference.response(at: frequency, isHighPass: unit.isHighPass).magnitude
      #expect(abs(20 * log10(measured / expected)) < 0.05)
    }
  }

  @Test(arguments: FilterUnit.allCases)
  func channelsDoNotMeet(_ unit: FilterUnit) throws {
    let host = try UnitHost(unit.descriptor, inputChannels: [3], outputChannels: [3])
    let alone = try UnitHost(unit.descriptor, inputChannels: [1], outputChannels: [1])
    let signals = (0..<3).map { Signals.noise(frames: 500, seed: UInt64($0 + 1)) }
    let rendered = host.render(inputs: [signals], frames: 500)
    for (channel, signal) in signals.enumerated() {
      alone.reset()
      #expect(identical([rendered[channel]], alone.render(inputs: [[signal]], frames: 500)))
    }
  }

  @Test(arguments: FilterUnit.allCases)
  func theTailReachesMinusSixtyDecibels(_ unit: FilterUnit) throws {
    // A high-pass leaves little of the slow pole of a damped filter.
    for resonance: Float in unit.isHighPass ? [0, 30] : [-20, 0, 30] {
      let host = try UnitHost(
        unit.descriptor, inputChannels: [1], outputChannels: [1],
        parameters: ["cutoff": 300, "resonance": resonance])
      let tail = Int(host.tailTime * 48_000)
      let impulse = host.render(inputs: [[Signals.impulse(frames: 2 * tail)]], frames: 2 * tail)[0]
      let loudest = impulse.dropFirst(1).map(abs).max() ?? 0
      #expect((impulse.dropFirst(tail + 1).map(abs).max() ?? 1) < loudest / 500)
      #expect((impulse.dropFirst(tail / 4 + 1).map(abs).max() ?? 0) > loudest / 500)
    }
  }
}
