import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

/// Parameters that follow lanes, in rendered files.
struct AutomationLaneTests {
  static func plan(_ lanes: String, tempo: Int = 120) throws -> Plan {
    try TestRacks.plan(
      """
      rack: Lanes
      tempo: \(tempo)
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        first: { unit: aufx/gain/bkln }
        second: { unit: aufx/gain/bkln }
      connections: [ in -> first -> second -> out ]
      automation:
      \(lanes.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
      """)
  }

  static func render(_ plan: Plan, frames: Int, block: Int = 512) throws -> [Float] {
    try OfflineRendering(plan, inputs: ["in": [Signals.constant(1, frames: frames)]]) {
      $0.blockFrames = block
    }.output[0]
  }

  private func factor(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  private static let lanes = """
    first.gain: [-6 dB @ 0 s, -30 dB @ 0.1 s, -30 dB @ 0.15 s, -3 dB @ 0.15 s, -12 dB @ 0.3 s]
    second.gain: { points: [0 dB @ bar 1, -20 dB @ beat 1.25, -10 dB @ bar 1 beat 1.5], curve: hold }
    """

  /// Values are straight in decibels from point to point, steps take 20 ms at most, and all keep their
  /// frames.
  @Test func valuesAreWhereTheyAreWritten() throws {
    let output = try Self.render(try Self.plan(Self.lanes), frames: 19_200)
    func first(_ frame: Int) -> Double {
      switch frame {
      case ..<4800: -6 - 24 * Double(frame) / 4800
      case ..<7200: -30
      case ..<14_400: -3 - 9 * Double(frame - 7200) / 7200
      default: -12
      }
    }
    func second(_ frame: Int) -> Double { frame < 6000 ? 0 : frame < 12_000 ? -20 : -10 }
    // Each step takes 20 ms and a frame.
    let steps = [7200, 6000, 12_000].map { $0..<$0 + 962 }
    let wrong = output.indices.first { frame in
      !steps.contains { $0.contains(frame) }
        && abs(output[frame] - factor(first(frame) + second(frame))) > 2e-5
    }
    #expect(wrong == nil)
    #expect(Signals.largestStep(output) < 0.006)
  }

  @Test(arguments: [1, 17, 64, 4096]) func blocksDoNotMatter(block: Int) throws {
    for tempo in [120, 97] {
      let plan = try Self.plan(Self.lanes, tempo: tempo)
      let whole = try Self.render(plan, frames: 19_200)
      #expect(firstDifference(try Self.render(plan, frames: 19_200, block: block), whole) == nil)
    }
  }

  /// Bypasses that follow each other within one block, and within one crossfade.
  @Test func shortBypassesAreHeardInBlocksOfAnySize() throws {
    let plan = try Self.plan(
      """
      second.gain: [-20 dB @ 0 s]
      second.bypass: [off @ 0 s, on @ 0.1 s, off @ 0.105 s, on @ 0.106 s, off @ 0.12 s]
      """)
    let output = try Self.render(plan, frames: 9600, block: 1)
    #expect((output[..<4800].max() ?? 1) < 0.11 && (output[4800...].max() ?? 0) > 0.9)
    for block in [64, 1024, 4096] {
      #expect(
        firstDifference(try Self.render(plan, frames: 9600, block: block), output) == nil,
        "\(block)")
    }
  }

  /// A cutoff that moves by equal ratios, and a bypass, which only switches.
  @Test func curvesAndSwitches() throws {
    let plan = try TestRacks.plan(
      """
      rack: Curves
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        ring: { unit: aufx/ring/bkln, parameters: { waveform: sine } }
        level: { unit: aufx/gain/bkln, parameters: { gain: -20 dB } }
      connections: [ in -> ring -> level -> out ]
      automation:
        ring.frequency: { points: [100 Hz @ 0 s, 1600 Hz @ 1 s], curve: log }
        level.bypass: [on @ 0 s, off @ 0.5 s]
      """)
    let output = try Self.render(plan, frames: 48_000)
    // The phase is the integral of 100 · 16^t; each turn has two zero crossings.
    let turns = 100 * (16 - 1) / log(16.0)
    let zeros = zip(output, output.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    #expect(abs(Double(zeros) - 2 * turns) < 4, "\(zeros) of \(2 * turns)")
    #expect((output[20_000..<24_000].max() ?? 0) > 0.9)
    #expect((output[26_000...].max() ?? 1) < 0.11)
  }
}

extension JackTests {
  /// Lanes that follow JACK's transport.
  @Suite(.serialized) struct Lanes {
    @Test func theyFollowTheTransportToTheFrame() async throws {
      let plan = try AutomationLaneTests.plan(
        """
        first.gain: [-40 dB @ 0 s, -10 dB @ 30 s]
        second.gain: [0 dB @ beat 1, -6 dB @ beat 2, 0 dB @ beat 3]
        """)
      let frames = 48_000
      let offline = try AutomationLaneTests.render(plan, frames: 10 * frames)
      try await EngineRig.run(plan) { rig in
        let probe = try rig.probe(plan)
        let ones = Signals.constant(1, frames: frames)
        try await eventually("they are where the transport stands") {
          (try? await rig.engine.value("first", "gain")) == -40
        }
        let transport = try JackTransport(server: rig.server.name)
        defer { transport.stop() }
        try transport.tell("play")
        try await eventually("it rolls") { probe.transportFrame > 0 }
        let heard = try await probe.play([ones], frames: frames).channels[0]
        let start = try #require(offline.firstIndex(of: heard[0]))
        #expect(start > 0 && firstDifference(heard[...], offline[start..<start + frames]) == nil)

        // A locate does not click, and the lanes continue from there. There the unit `second` is back at 0
        // dB.
        let locate = Task {
          try await Task.sleep(for: .milliseconds(100))
          try transport.tell("locate 480000")
        }
        let later = try await probe.play([ones], frames: frames).channels[0]
        try await locate.value
        #expect(Signals.largestStep(later) < 0.005)
        try await eventually("it is there") { probe.transportFrame >= 480_000 }
        let there = try await probe.play([ones], frames: frames).channels[0]
        let decibels = there.suffix(24_000).map { 20 * log10(Double($0)) }
        let slope = 30.0 / (30 * 48_000)
        let wrong = zip(decibels, decibels.dropFirst(1000)).first {
          abs($1 - $0 - 1000 * slope) > 1e-3
        }
        #expect(wrong == nil && decibels[0] > -30.1)

        // A value that somebody sets holds, also over an edit, until the transport is moved.
        try transport.tell("stop", "locate 0")
        try await eventually("it is at the beginning") {
          (try? await rig.engine.value("first", "gain")) == -40
        }
        try await rig.engine.set("first", "gain", to: -20)
        try await rig.engine.replace(with: plan, keeping: .all)
        _ = try await probe.play([ones], frames: frames)
        #expect(try await rig.engine.value("first", "gain") == -20)
        try transport.tell("locate 48000")
        try await eventually("it has followed") {
          (try? await rig.engine.value("first", "gain")) == -39
        }
      }
    }

    /// Moves by commands and MIDI while the transport rolls are repeated at their times.
    @Test func movesAreRecordedAndPlayedAgain() async throws {
      let folder = try TemporaryFolder()
      let rack = """
        rack: Moves
        inputs: { in: , pedal: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln }, other: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> other -> out ]
        controls: [ { from: pedal cc 7, to: level.gain, range: [-40 dB, 0 dB] } ]
        """
      try await SessionRig.run(rack) { session in
        let plan = await session.session.rack.plan
        let rig = session.engine
        let probe = try rig.probe(plan)
        let frames = 48_000
        let ones = Signals.constant(1, frames: frames)
        let transport = try JackTransport(server: rig.server.name)
        defer { transport.stop() }
        _ = try await rig.engine.startMoves(file: folder.path("moves.yaml"))
        try await session.perform("set level.gain -1 dB")
        try transport.tell("play")
        try await eventually("it rolls") { probe.transportFrame > 0 }
        let heard = try await probe.play(
          [ones], frames: frames,
          messages: [(4800, 60), (24_000, 100)].map {
            JackProbe.Message([0xB0, 7, UInt8($0.1)], at: $0.0)
          }
        ).channels[0]
        // A recording that cannot be written continues, and replaces no file.
        let taken = try folder.write("moves.yaml", bytes: Array("mine".utf8))
        await #expect(throws: Refusal.self) { try await rig.engine.stopMoves() }
        #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
        try await session.perform("set other.bypass on")
        try await session.perform("rename other late")
        let file = folder.path("moves-2.yaml")
        #expect(try await rig.engine.stopMoves(file: file) == "2 lanes in \(file)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("late.bypass:"))
        try transport.tell("stop")
        // The parameters have other values until the lanes are loaded.
        try await session.perform("set level.gain -40 dB")
        try await session.perform("automation \"\(file)\"")
        #expect(try await session.session.rack.plan.automation.count == 2)
        let offline = try AutomationLaneTests.render(
          await session.session.rack.plan, frames: 10 * frames)
        // The rendering contains the sound around the second message, to the frame.
        let start = try #require((20_000..<frames).first { heard[$0] != heard[20_000] })
        func hasMoved(_ sample: Float) -> Bool { abs(sample - heard[20_000]) > 1e-3 }
        let moved = try #require((20_000..<frames).first { hasMoved(heard[$0]) })
        let place = offline.indices.dropFirst(moved).dropLast(frames - moved).first { place in
          !hasMoved(offline[place - 1]) && hasMoved(offline[place])
            && (20_000..<frames).allSatisfy { abs(heard[$0] - offline[$0 + place - moved]) < 1e-5 }
        }
        let written = try String(contentsOfFile: file, encoding: .utf8)
        #expect(start < 24_002 && place != nil, "\(start), \(written)")
        try await session.perform("undo")
        #expect(try await session.session.rack.plan.automation.isEmpty)
        #expect(try await session.text(of: "level.gain") == "-40 dB")
      }
    }
  }
}
