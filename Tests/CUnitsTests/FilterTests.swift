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
    [(60, 0), (200, 12), (1000, 0), (1000, -20), (3000, 30), (8000, 6), (20_000, 0)]
      as [(Double, Double)])
  func respondsLikeItsPrototype(_ unit: FilterUnit, settings: (Double, Double)) throws {
    let (cutoff, resonance) = settings
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["cutoff": Float(cutoff), "resonance": Float(resonance)])
    let frames = 40_000
    let impulse = host.render(
      inputs: [[Signals.impulse(frames: frames)]], frames: frames, blockSizes: [64, 480])[0]
    let reference = FilterReference(cutoff: cutoff, resonance: resonance)
    for frequency in [1, 20, 55, cutoff / 2, cutoff * 0.98, cutoff, cutoff * 1.1, 12_345, 23_000] {
      let measured = Spectrum.transform(impulse, at: frequency)
      let expected = reference.response(at: frequency, isHighPass: unit.isHighPass)
      let error = (measured - expected).magnitude
      #expect(error < 3e-5 * max(1, expected.magnitude), "\(frequency) Hz")
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

  /// A cutoff that goes from 100 Hz to 12 kHz and back a thousand times a second.
  @Test(arguments: FilterUnit.allCases)
  func sweepsAtAudioRate(_ unit: FilterUnit) throws {
    let frames = 9600
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["cutoff": 100, "resonance": 20])
    let events = (0..<frames / 24).map {
      UnitHost.Event.parameter(
        host.address("cutoff"), $0 % 2 == 0 ? 12_000 : 100, ramp: 24, at: 24 * $0)
    }
    let cutoffs = (0..<frames).map { frame in
      let part = Double(frame % 24) / 24
      return 100 + 11_900 * (frame / 24 % 2 == 0 ? part : 1 - part)
    }
    let noise = Signals.noise(frames: frames)
    let rendered = host.render(
      inputs: [[noise]], frames: frames, blockSizes: [64, 17], events: events)[0]
    let damping = FilterReference(cutoff: 0, resonance: 20).damping
    let reference = FilterReference.run(noise, cutoffs: cutoffs, damping: damping)
    let expected = unit.isHighPass ? reference.high : reference.low
    #expect(expected.allSatisfy { abs($0) < 50 })
    for frame in 0..<frames {
      #expect(abs(Double(rendered[frame]) - expected[frame]) < 2e-4, "frame \(frame)")
    }
  }

  @Test(arguments: FilterUnit.allCases)
  func cutoffsBeyondTheSampleRateAreHeld(_ unit: FilterUnit) throws {
    let host = try UnitHost(
      unit.descriptor, sampleRate: 8000, inputChannels: [1], outputChannels: [1],
      parameters: ["cutoff": 20_000, "resonance": 40])
    let impulse = host.render(inputs: [[Signals.impulse(frames: 20_000)]], frames: 20_000)[0]
    let reference = FilterReference(cutoff: 0.49 * 8000, resonance: 40, sampleRate: 8000)
    for frequency in [100.0, 1000, 3000] {
      let measured = Spectrum.transform(impulse, at: frequency, sampleRate: 8000)
      let expected = reference.response(at: frequency, isHighPass: unit.isHighPass)
      #expect((measured - expected).magnitude < 1e-4)
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
