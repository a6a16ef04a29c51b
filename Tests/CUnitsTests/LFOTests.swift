import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct LFOTests {
  private let unit = BuiltInUnit("augn/lfom/bkln")

  private func played(
    _ parameters: [String: Float], frames: Int = 48_000, blocks: [Int] = [512],
    music: ((Int64) -> (bl_musical_context, bl_transport_state))? = nil,
    events: [UnitHost.Event] = []
  ) throws -> [Float] {
    let host = try UnitHost(unit.descriptor, parameters: parameters)
    host.music = music
    return host.render(frames: frames, blockSizes: blocks, events: events)[0]
  }

  /// The fraction of a turn, 0 to 1.
  private func fraction(_ turns: Double) -> Double { turns - turns.rounded(.down) }

  /// A shape at a fraction of its turn.
  private static let shapes: [@Sendable (Double) -> Double] = [
    { sin(2 * .pi * $0) },
    { 1 - 4 * abs(($0 + 0.25).truncatingRemainder(dividingBy: 1) - 0.5) },
    { 2 * $0 - 1 }, { 1 - 2 * $0 }, { $0 < 0.5 ? 1 : -1 },
  ]

  @Test(arguments: 0..<5, [0, 90, 225] as [Float]) func shapesAreWhatTheySay(
    shape: Int, degrees: Float
  ) throws {
    let output = try played(["shape": Float(shape), "rate": 3.1, "phase": degrees])
    for (frame, value) in output.enumerated() {
      let turns = Double(Float(3.1)) * Double(frame) / 48_000 + Double(degrees) / 360
      // An edge may fall on either side of a frame.
      guard abs(fraction(2 * turns + 0.5) - 0.5) > 1e-6 else { continue }
      #expect(abs(Double(value) - Self.shapes[shape](fraction(turns))) < 1e-6, "frame \(frame)")
    }
  }

  /// Sixteen steps of 300 frames in a turn.
  @Test func aDrawnWaveHasItsSteps() throws {
    let steps = (0..<16).map { Float($0 * 37 % 201 - 100) }
    var parameters: [String: Float] = ["shape": 7, "rate": 10]
    for (step, value) in steps.enumerated() { parameters["steps.\(step + 1)"] = value }
    for (frame, value) in try played(parameters, frames: 9600).enumerated() {
      guard frame % 300 > 0, frame % 300 < 299 else { continue }
      #expect(abs(value - steps[frame / 300 % 16] / 100) < 1e-6, "frame \(frame)")
    }
  }

  @Test func unipolarGoesFromZeroToOne() throws {
    let bipolar = try played(["rate": 2])
    let unipolar = try played(["rate": 2, "polarity": 1])
    #expect(zip(bipolar, unipolar).allSatisfy { abs(0.5 + 0.5 * $0 - $1) < 1e-7 })
    #expect(unipolar.min() == 0 && unipolar.max() == 1)
  }

  @Test func fadeInIsStraight() throws {
    let output = try played(["shape": 4, "rate": 0.001, "fade": 0.5])
    for (frame, value) in output.enumerated() {
      #expect(abs(Double(value) - min(1, Double(frame) / 24_000)) < 1e-6)
    }
  }

  @Test func oneShotStaysAtItsEnd() throws {
    let output = try played(
      ["shape": 2, "rate": 5, "one_shot": 1],
      events: [.parameter(UnitHost(unit.descriptor).address("retrigger"), 1, at: 30_000)])
    for (frame, value) in output.enumerated() {
      let turns = Double(frame >= 30_000 ? frame - 30_000 : frame) / 9600
      #expect(abs(Double(value) - min(1, 2 * turns - 1)) < 1e-6, "frame \(frame)")
    }
  }

  @Test func notesRetriggerWhereTheyMay() throws {
    let notes: [UnitHost.Event] = [
      .midi([0x93, 60, 1], at: 7000), .midi([0x83, 60, 0], at: 9000),
    ]
    let plain = try played(["shape": 2, "rate": 2])
    #expect(try played(["shape": 2, "rate": 2], events: notes) == plain)
    let output = try played(["shape": 2, "rate": 2, "retrigger_by_note": 1], events: notes)
    #expect(output[..<7000] == plain[..<7000])
    #expect(output[7000...] == plain[..<(plain.count - 7000)])
  }

  // MARK: - Tempo

  /// A transport that moves from frame 0 on, and jumps to beat 200 at frame 30,000.
  private static func song(
    tempo: Double, denominator: Int32
  ) -> (Int64) -> (bl_musical_context, bl_transport_state) {
    { time in
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = tempo
      context.time_signature_numerator = 4
      context.time_signature_denominator = denominator
      context.beat_position = beat(time, tempo: tempo)
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      if time == 0 || time == 30_000 { transport.flags |= UInt32(BL_TRANSPORT_CHANGED) }
      return (context, transport)
    }
  }

  private static func beat(_ time: Int64, tempo: Double) -> Double {
    let beats = Double(time) * tempo / (60 * 48_000)
    return time < 30_000 ? 17.3 + beats : 200 + beats
  }

  /// The place of each of these among the values of `sync`, and quarter notes.
  private static let notes: [(Int, Double)] = [
    (1, 1 / 16.0), (2, 1 / 12.0), (3, 1 / 8.0), (9, 0.75), (10, 2 / 3.0), (15, 4), (18, 32),
  ]

  @Test(arguments: notes, [Int32(4), 8]) func theTransportIsFollowed(
    note: (sync: Int, quarters: Double), denominator: Int32
  ) throws {
    let name = unit.parameters.first { String(cString: $0.identifier) == "sync" }?
      .value_strings[note.sync].map { String(cString: $0) }
    let output = try played(
      ["shape": 2, "sync": Float(note.sync), "rate": 7], blocks: [600],
      music: Self.song(tempo: 97, denominator: denominator))
    for (frame, value) in output.enumerated() where !(30_000..<32_402).contains(frame) {
      let quarters = Self.beat(Int64(frame), tempo: 97) * 4 / Double(denominator)
      let turns = fraction(quarters / note.quarters)
      let error = (Double(value) + 1) / 2 - turns
      #expect(abs(error - error.rounded()) < 1e-6, "\(name ?? ""), frame \(frame)")
    }
  }

  /// After a jump it is there within 50 ms without a leap, but for the saw's own.
  @Test(arguments: [0, 1, 2] as [Float]) func aJumpIsNoLeap(shape: Float) throws {
    let output = try played(
      ["shape": shape, "sync": 11], blocks: [600], music: Self.song(tempo: 97, denominator: 4))
    let steps = zip(output[29_999..<32_402], output[30_000..<32_403]).map { abs($1 - $0) }
    #expect(steps.allSatisfy { $0 < 0.003 || $0 > 1.99 })
  }

  /// A bar of five quarters, then bars of four: a turn of a whole note begins with each of those.
  @Test func aTurnBeginsWithTheBar() throws {
    func music(_ time: Int64) -> (bl_musical_context, bl_transport_state) {
      var (context, transport) = Self.song(tempo: 120, denominator: 4)(0)
      let beat = Double(time) / 24_000
      context.beat_position = beat
      context.time_signature_numerator = beat < 5 ? 5 : 4
      context.downbeat_position = beat < 5 ? 0 : 5 + 4 * ((beat - 5) / 4).rounded(.down)
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      return (context, transport)
    }
    let output = try played(
      ["shape": 2, "sync": 15], frames: 320_000, blocks: [600], music: music)
    for bar in [1, 2] {
      #expect(abs(output[120_000 + 96_000 * bar] + 1) < 1e-6)
    }
  }

  @Test(arguments: [false, true]) func cyclesOfAnyLengthGiveTheSame(isMoving: Bool) throws {
    let host = try UnitHost(unit.descriptor)
    let events: [UnitHost.Event] = [
      .parameter(host.address("rate"), 40, ramp: 5000, at: 1000), .midi([0x90, 60, 9], at: 7001),
      .parameter(host.address("retrigger"), 1, at: 11_003),
      .parameter(host.address("phase"), 360, ramp: 3000, at: 15_000),
      .parameter(host.address("sync"), 6, at: 21_007),
    ]
    for shape in [0, 4, 5, 6] as [Float] {
      let parameters: [String: Float] = [
        "shape": shape, "sync": isMoving ? 3 : 0, "retrigger_by_note": 1, "fade": 0.1,
      ]
      let renderings = try [[600], [1], [60, 100, 40], [3000]].map { blocks in
        try played(
          parameters, frames: 42_000, blocks: blocks,
          music: isMoving ? Self.song(tempo: 113.7, denominator: 4) : nil, events: events)
      }
      #expect(renderings.allSatisfy { identical([$0], [renderings[0]]) })
    }
  }

  @Test func aRetriggerCountsFromItsOwnBeat() throws {
    let host = try UnitHost(unit.descriptor)
    let output = try played(
      ["shape": 2, "sync": 8], frames: 29_000, music: Self.song(tempo: 97, denominator: 4),
      events: [.parameter(host.address("retrigger"), 1, at: 10_007)])
    for frame in 10_007..<29_000 {
      let turns = fraction(Double(frame - 10_007) * 97 / (60 * 48_000) / 0.5)
      let error = (Double(output[frame]) + 1) / 2 - turns
      #expect(abs(error - error.rounded()) < 1e-6, "frame \(frame)")
    }
  }

  // MARK: - Random values

  @Test func randomValuesAreHeldForATurnAndEven() throws {
    let output = try played(["shape": 5, "rate": 50], frames: 960 * 2000)
    let values = stride(from: 0, to: output.count, by: 960).map { output[$0] }
    for (turn, value) in values.enumerated() {
      #expect(output[(turn * 960)..<(turn * 960 + 960)].allSatisfy { $0 == value })
    }
    #expect(values.allSatisfy { -1...1 ~= $0 })
    let square = values.reduce(0) { $0 + $1 * $1 } / 2000
    #expect(abs(square - 1 / 3.0) < 0.03)
    let next = zip(values, values.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / 2000
    #expect(abs(next) < 0.03)
  }

  @Test func aSeedRepeatsItsValues() throws {
    let first = try played(["shape": 5, "rate": 20])
    #expect(try played(["shape": 5, "rate": 20]) == first)
    #expect(try played(["shape": 5, "rate": 20, "seed": 2]) != first)
  }

  /// Smooth random passes through the values of sample and hold, level there and without a leap.
  @Test func smoothRandomJoinsTheValues() throws {
    let smooth = try played(["shape": 6, "rate": 10])
    let held = try played(["shape": 5, "rate": 10])
    for turn in 0..<9 {
      let (from, to) = (Double(held[turn * 4800 + 5]), Double(held[turn * 4800 + 4805]))
      for frame in stride(from: 0, to: 4800, by: 7) {
        let share = Double(frame) / 4800
        let expected = from + (to - from) * share * share * (3 - 2 * share)
        #expect(abs(Double(smooth[turn * 4800 + frame]) - expected) < 1e-6)
      }
    }
  }

  /// The same place of a song has the same value, however it was reached.
  @Test func aPlaceOfTheSongHasItsValue() throws {
    let song = Self.song(tempo: 120, denominator: 4)
    let parameters: [String: Float] = ["shape": 5, "sync": 8]
    let played = try played(parameters, frames: 45_000, blocks: [600], music: song)
    let host = try UnitHost(unit.descriptor, parameters: parameters)
    host.music = { time in song(time + 30_000) }
    let later = host.render(frames: 15_000, blockSizes: [600])[0]
    #expect(Array(played[30_000...]) == later)
  }
}
