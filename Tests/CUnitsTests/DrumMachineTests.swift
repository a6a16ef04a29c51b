import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct DrumMachineTests {
  /// One channel, at full level.
  private func host(_ parameters: [String: Float] = [:], channels: Int = 1) throws -> UnitHost {
    try UnitHost(
      BuiltInUnit("aumu/drum/bkln").descriptor, outputChannels: [channels],
      parameters: ["level": 0].merging(parameters) { $1 })
  }

  private func stroke(_ key: UInt8, _ velocity: UInt8 = 127, at frame: Int = 0) -> UnitHost.Event {
    .midi([0x99, key, velocity], at: frame)
  }

  private func played(
    _ key: UInt8, velocity: UInt8 = 127, _ parameters: [String: Float] = [:], frames: Int
  ) throws -> [Float] {
    try host(parameters).render(frames: frames, events: [stroke(key, velocity)])[0]
  }

  @Test(arguments: DrumVoice.all) func keysPlayTheirVoice(voice: DrumVoice) throws {
    for key in voice.keys {
      let alone = DrumVoice.all.filter { $0.name != voice.name }.map {
        ("\($0.name).level", Float(-96))
      }
      let others = try played(key, Dictionary(uniqueKeysWithValues: alone), frames: 2000)
      #expect(others.contains { abs($0) > 0.01 }, "key \(key)")
      let without = try played(key, ["\(voice.name).level": -96], frames: 2000)
      #expect(without.allSatisfy { $0 == 0 }, "key \(key)")
    }
  }

  /// Three strokes fade while a fourth begins: their steps add up, and there is no other.
  @Test(arguments: [40, 55, 70, 85]) func threeStrokesWithinMillisecondsDoNotClick(gap: Int) throws
  {
    let alone = try played(36, frames: 2400)
    let strokes = (0..<3).map { stroke(36, at: 960 + $0 * gap) }
    let flam = try host().render(frames: 2400, events: [stroke(36)] + strokes)[0]
    #expect(Signals.largestStep(flam) < 4 * Signals.largestStep(alone))
  }

  @Test func otherKeysAreSilent() throws {
    let known = DrumVoice.all.flatMap(\.keys)
    let rest = (0..<128).map(UInt8.init).filter { !known.contains($0) }
    let output = try host().render(frames: 2000, events: rest.map { stroke($0) })[0]
    #expect(output.allSatisfy { $0 == 0 })
  }

  /// A drum sounds the same on whichever frame it starts.
  @Test(arguments: [UInt8(36), 38, 37, 39, 41, 75, 70]) func strokesStartOnTheirFrame(key: UInt8)
    throws
  {
    let early = try host().render(frames: 3000, events: [stroke(key, at: 100)])[0]
    let late = try host().render(frames: 3037, events: [stroke(key, at: 137)])[0]
    #expect(early[..<100].allSatisfy { $0 == 0 })
    #expect(early[100...102].contains { $0 != 0 })
    #expect(Array(early) == Array(late.dropFirst(37)))
  }

  /// Oscillators that run all the time give hats and cymbals another beginning each time.
  @Test(arguments: [UInt8(42), 46, 49, 51, 56]) func metalStartsOnItsFrame(key: UInt8) throws {
    let output = try host().render(frames: 3000, events: [stroke(key, at: 1000)])[0]
    #expect(output[..<1000].allSatisfy { $0 == 0 })
    #expect(output[1000..<1048].contains { $0 != 0 })
  }

  /// The phase of a frequency that comes down from (1 + a) f to f with the time constant τ is
  /// f (t + a τ (1 - exp(-t/τ))) turns.
  @Test(arguments: [(Float(0), 49.0, 1.6, 0.006), (1, 52, 4.5, 0.018)])
  func kickComesDownAsItsFormula(model: Float, pitch: Double, sweep: Double, time: Double) throws {
    let output = try played(36, ["kick.model": model, "kick.decay": 2], frames: 24_000)
    // The click is over after 15 ms.
    for frame in 960..<23_999 where output[frame] <= 0 && output[frame + 1] > 0 {
      let between = Double(output[frame] / (output[frame] - output[frame + 1]))
      let seconds = (Double(frame) + between) / 48_000
      let turns = pitch * (seconds + sweep * time * (1 - exp(-seconds / time)))
      #expect(abs(turns - turns.rounded()) < 0.003)
    }
  }

  /// Tone turns the snare's wires up by 9 dB and its skin down by 4 dB.
  @Test func toneBalancesTheLayers() throws {
    let skins = try [Float(0), 50, 100].map { tone in
      let output = try played(38, ["snare.tone": tone], frames: 9600)
      return Level.decibels(Spectrum.transform(output, at: 180).magnitude)
    }
    #expect(abs(skins[2] - skins[1] + 4) < 0.5)
    #expect(abs(skins[0] - skins[1] - 4) < 0.5)
  }

  @Test(arguments: [UInt8(1), 32, 100, 127]) func loudnessIsVelocitySquared(velocity: UInt8) throws
  {
    let full = try played(41, frames: 2000)
    let soft = try played(41, velocity: velocity, frames: 2000)
    let factor = pow(Float(velocity) / 127, 2)
    #expect(zip(full, soft).allSatisfy { abs($0 * factor - $1) < 1e-6 })
  }

  @Test func levelAndPanFollowTheirFormulas() throws {
    let plain = try played(36, frames: 2000)
    let output = try host(["kick.level": -20, "kick.pan": 0.5], channels: 2)
      .render(frames: 2000, events: [stroke(36)])
    for (channel, gain) in [(0, cos(0.375 * Double.pi)), (1, sin(0.375 * Double.pi))] {
      #expect(zip(plain, output[channel]).allSatisfy { abs($0 * Float(0.1 * gain) - $1) < 1e-6 })
    }
  }

  @Test(arguments: [UInt8(42), 44]) func aChokedHatDoesNotClick(key: UInt8) throws {
    let host = try host(["open_hat.decay": 4, "closed_hat.level": -96])
    let output = host.render(frames: 9600, events: [stroke(46), stroke(key, at: 4800)])[0]
    #expect(output[3800..<4800].contains { abs($0) > 0.02 })
    #expect(Signals.largestStep(output[4790..<5760]) <= Signals.largestStep(output[..<4790]))
  }

  /// A drum that is struck again while it sounds fades in 4 ms beneath the new stroke.
  @Test func rollsDoNotClick() throws {
    let single = try played(41, frames: 9600)
    let roll = try host().render(frames: 9600, events: (0..<20).map { stroke(41, at: $0 * 433) })[0]
    #expect(Signals.largestStep(roll) < 1.5 * Signals.largestStep(single))
  }

  @Test func allSoundOffEndsEverything() throws {
    let output = try host().render(
      frames: 4800,
      events: [stroke(36), stroke(49), .midi([0xB9, 120, 0], at: 2400)])[0]
    #expect(output[2300..<2400].contains { abs($0) > 0.01 })
    #expect(output[(2400 + 192)...].allSatisfy { $0 == 0 })
  }

  /// A stroke ends at -100 dB.
  @Test func theTailIsTheLongestDecay() throws {
    var decays = Dictionary(
      uniqueKeysWithValues: DrumVoice.all.map { ("\($0.name).decay", Float(0.3)) })
    decays["kick.decay"] = 0.6
    let host = try host(decays)
    #expect(abs(host.tailTime - 1) < 0.03)
    let output = host.render(frames: 52_000, events: [stroke(36)])[0]
    let end = Int((host.tailTime * 48_000).rounded(.up))
    #expect(output[end...].allSatisfy { $0 == 0 })
    #expect(output[46_000..<end].contains { $0 != 0 })
  }
}
