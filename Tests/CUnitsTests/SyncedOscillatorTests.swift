import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

/// The oscillators of effects keep to the host's beats while the transport moves.
@Suite struct SyncedOscillatorTests {
  /// A transport that moves: `beat` at a sample time, and whether it jumps there.
  private static func music(
    tempo: @escaping (Int64) -> Double, jumps: Set<Int64> = [0],
    beat: @escaping (Int64) -> Double
  ) -> (Int64) -> (bl_musical_context, bl_transport_state) {
    { time in
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = tempo(time)
      context.time_signature_numerator = 4
      context.time_signature_denominator = 4
      context.beat_position = beat(time)
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      if jumps.contains(time) { transport.flags |= UInt32(BL_TRANSPORT_CHANGED) }
      return (context, transport)
    }
  }

  /// Returns the distance of a full tremolo's factor, which is 1 at the beginning of its turn, from
  /// that of quarter notes.
  private func error(_ factor: Float, beat: Double) -> Double {
    abs(Double(factor) - (0.5 + 0.5 * cos(2 * .pi * beat)))
  }

  private func tremolo(sampleRate: Double = 48_000) throws -> UnitHost {
    try BuiltInUnit("aufx/tmlo/bkln").host(
      sampleRate: sampleRate, ["depth": 100, "sync": 9, "rate": 19])
  }

  @Test func nothingDriftsIn10000Beats() throws {
    let host = try tremolo(sampleRate: 8000)
    func beat(_ time: Int64) -> Double { 0.3 + Double(time) * 999 / (60 * 8000) }
    host.music = Self.music(tempo: { _ in 999 }, beat: beat)
    let frames = 480_500
    let constant = Signals.constant(1, frames: frames)
    for _ in 0..<10 {
      let start = host.sampleTime
      let factors = host.play(constant)
      for frame in [0, 1000, frames - 1] {
        #expect(error(factors[frame], beat: beat(start + Int64(frame))) < 1e-4)
      }
    }
    #expect(beat(host.sampleTime) > 10_000)
  }

  /// Another tempo at frame 24,000, and at 60,000 a jump, after which it is there within 50 ms
  /// without a leap.
  @Test func temposAndJumpsAreFollowed() throws {
    func beat(_ time: Int64) -> Double {
      let first = 9_990.3 + Double(min(time, 24_000)) * 97 / (60 * 48_000)
      let second = first + Double(max(time - 24_000, 0)) * 131 / (60 * 48_000)
      return time < 60_000 ? second : 20.7 + Double(time - 60_000) * 131 / (60 * 48_000)
    }
    let host = try tremolo()
    host.music = Self.music(
      tempo: { $0 < 24_000 ? 97 : 131 }, jumps: [0, 60_000], beat: beat)
    let constant = Signals.constant(1, frames: 96_000)
    let factors = host.render(inputs: [[constant]], frames: 96_000, blockSizes: [600])[0]
    for (frame, factor) in factors.enumerated() where !(60_000..<62_402).contains(frame) {
      #expect(error(factor, beat: beat(Int64(frame))) < 1e-4, "frame \(frame)")
    }
    #expect(Signals.largestStep(factors) < 0.002)
  }

  struct Case: CustomStringConvertible {
    let unit: String
    let parameters: [String: Float]
    var description: String { unit }
  }

  private static let cases = [
    Case(unit: "aufx/tmlo/bkln", parameters: ["depth": 100]),
    Case(unit: "aufx/wahh/bkln", parameters: ["lfo.amount": 100]),
    Case(unit: "aufx/phas/bkln", parameters: [:]),
    Case(unit: "aufx/chor/bkln", parameters: [:]),
    Case(unit: "aufx/flng/bkln", parameters: ["feedback": 0]),
  ]

  /// A unit that plays since beat 0 and one that begins later, also 10,000 beats later, move alike.
  @Test(arguments: cases, [0.0, 10_000]) func everyUnitKeepsToTheBeat(
    _ test: Case, later: Double
  ) throws {
    let unit = BuiltInUnit(test.unit)
    let sync = unit.parameters.first { String(cString: $0.identifier) == "sync" }?.group
    let path = sync.map { "\(String(cString: $0)).sync" } ?? "sync"
    let (frames, start) = (96_000, 43_200)
    // Two periods of a note and a half: 480 frames repeat.
    let sine = Signals.sine(frequency: 500, amplitude: 0.25, frames: frames)
    let outputs = try [(0, 0.0), (start, later)].map { start, beats in
      let host = try unit.host(test.parameters.merging([path: 9]) { $1 })
      host.music = Self.music(tempo: { _ in 97 }) {
        beats + Double($0 + Int64(start)) * 97 / (60 * 48_000)
      }
      return host.play(Array(sine.prefix(frames - start)))
    }
    for frame in 24_000..<(frames - start) {
      #expect(abs(outputs[0][start + frame] - outputs[1][frame]) < 1e-3, "frame \(frame)")
    }
  }
}
