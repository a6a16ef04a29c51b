import AudioUnits
import BacklineTestSupport
import CKernel
import CUnit
import Testing
import UnitModel

/// A standalone unit's MIDI output, and the musical context that it gets.
@Suite struct AudioUnitMIDITests {
  private static let chord: [[UInt8]] = [[0x90, 60, 100], [0x90, 64, 80], [0x90, 67, 90]]

  @Test func aMIDIProcessorIsRenderedAndWhatItSendsIsCollected() async throws {
    for cycles in [[1], [17, 64], [1024]] {
      var rig = try await UnitRig("aumi/trns/bkln") { unit in
        try unit.setMIDIOutputBufferSize(65_536)
        try unit.setParameter(0, to: 12)
      }
      let exclusive: [UInt8] = [0xF0] + (0..<1000).map { UInt8($0 % 128) } + [0xF7]
      try rig.unit.scheduleMIDI(at: .sampleTime(100), bytes: [0x90, 60, 100])
      try rig.unit.scheduleMIDI(at: .sampleTime(333), bytes: exclusive)
      try rig.unit.scheduleMIDI(at: .sampleTime(700), bytes: [0x80, 60, 1])
      #expect(try rig.render(frames: 1000, cycles: cycles).isEmpty)
      #expect(
        rig.unit.popMIDIOutput() == [
          MIDIOutputEvent(sampleTime: 100, bytes: [0x90, 72, 100]),
          MIDIOutputEvent(sampleTime: 333, bytes: exclusive),
          MIDIOutputEvent(sampleTime: 700, bytes: [0x80, 72, 1]),
        ])
      #expect(rig.unit.popMIDIOutput().isEmpty)
      #expect(rig.unit.lostEventCount == 0)
    }
  }

  @Test func outputAndBusThatItDoesNotHaveAreRefused() async throws {
    let rig = try await UnitRig("aumi/trns/bkln")
    try rig.unit.render(at: 0, frames: 64)
    #expect(throws: AudioUnitError.self) { try rig.unit.render(at: 64, frames: 64, bus: 1) }
    let effect = try await UnitRig("aufx/gain/bkln")
    #expect(throws: AudioUnitError.self) { try effect.unit.render(at: 0, frames: 64) }
  }

  @Test func whatFindsNoRoomIsCounted() async throws {
    var rig = try await UnitRig("aumi/trns/bkln") { unit in
      try unit.setMIDIOutputBufferSize(64)
    }
    for note in 0..<10 {
      try rig.unit.scheduleMIDI(at: .sampleTime(Int64(note)), bytes: [0x90, UInt8(note), 1])
    }
    _ = try rig.render(frames: 64)
    #expect(rig.unit.popMIDIOutput().map { $0.bytes[1] } == [0, 1, 2])
    #expect(rig.unit.lostEventCount == 7)
    // The queue has room again; later messages wrap around its end.
    for round in 0..<20 {
      let bytes: [UInt8] = [0xB0, UInt8(round), 7]
      try rig.unit.scheduleMIDI(bytes: bytes)
      _ = try rig.render(frames: 64)
      #expect(rig.unit.popMIDIOutput().map(\.bytes) == [bytes])
    }
  }

  @Test func aFunctionTakesTheOutputOnTheRenderThread() async throws {
    let received = UnsafeMutablePointer<(count: Int, last: Int64)>.allocate(capacity: 1)
    received.initialize(to: (0, 0))
    defer { received.deallocate() }
    var rig = try await UnitRig("aumi/trns/bkln") { unit in
      try unit.setMIDIOutputEventBlock(
        { context, sampleTime, cable, length, bytes in
          guard let received = context?.assumingMemoryBound(to: (count: Int, last: Int64).self),
            let bytes, cable == 0, length == 3, bytes[1] < 64
          else { return false }
          received.pointee.count += 1
          received.pointee.last = sampleTime
          return true
        }, context: received)
    }
    for message in Self.chord { try rig.unit.scheduleMIDI(at: .sampleTime(600), bytes: message) }
    _ = try rig.render(frames: 1000, cycles: [64])
    #expect(received.pointee.count == 1 && received.pointee.last == 600)
    #expect(rig.unit.lostEventCount == 2)
    #expect(rig.unit.popMIDIOutput().isEmpty)
    #expect(throws: AudioUnitError.self) { try rig.unit.setMIDIOutputEventBlock(nil) }
    #expect(throws: AudioUnitError.self) { try rig.unit.setMIDIOutputBufferSize(0) }
  }

  /// The music of a host that renders in cycles of 64 frames.
  private struct Music {
    static let cycle = 64
    let tempo: Double
    var beat: Double
    var isMoving = true

    static func setBlocks(of unit: AudioUnit, _ music: UnsafeMutablePointer<Music>) throws {
      try unit.setMusicalContextBlock(
        { context, answer in
          guard let music = context?.assumingMemoryBound(to: Music.self), let answer else {
            return false
          }
          answer.pointee = bl_musical_context()
          answer.pointee.tempo = music.pointee.tempo
          answer.pointee.time_signature_numerator = 4
          answer.pointee.time_signature_denominator = 4
          answer.pointee.beat_position = music.pointee.beat
          music.pointee.beat += Double(Music.cycle) * music.pointee.tempo / (60 * 48_000)
          return true
        }, context: music)
      try unit.setTransportStateBlock(
        { context, answer in
          guard let music = context?.assumingMemoryBound(to: Music.self), let answer else {
            return false
          }
          answer.pointee = bl_transport_state()
          answer.pointee.flags = music.pointee.isMoving ? UInt32(BL_TRANSPORT_MOVING) : 0
          return true
        }, context: music)
    }
  }

  /// At 100 beats a minute a beat is 28800 frames; the music starts a quarter beat before a beat.
  /// While the transport is stopped, the first key starts the beats.
  @Test(arguments: [
    (true, [7200, 21_600, 36_000, 50_400]), (false, [100, 14_500, 28_900, 43_300]),
  ])
  func theArpeggiatorStepsWithTheHostsBeats(isMoving: Bool, times: [Int64]) async throws {
    let music = UnsafeMutablePointer<Music>.allocate(capacity: 1)
    music.initialize(to: Music(tempo: 100, beat: -0.25, isMoving: isMoving))
    defer { music.deallocate() }
    var rig = try await UnitRig("aumi/arpg/bkln") { unit in
      try unit.setMIDIOutputBufferSize(65_536)
      let rate = try #require(unit.facts.parameter(atKeyPath: "rate"))
      try unit.setParameter(rate.address, to: 0.5)
      try Music.setBlocks(of: unit, music)
    }
    for message in Self.chord { try rig.unit.scheduleMIDI(at: .sampleTime(100), bytes: message) }
    _ = try rig.render(frames: 55_000, cycles: [Music.cycle])
    let begun = rig.unit.popMIDIOutput().filter { $0.bytes[0] == 0x90 }
    #expect(begun.map(\.sampleTime) == times)
    #expect(begun.map { $0.bytes[1] } == [60, 64, 67, 60])
  }

  /// At 80 beats a minute, a quarter note lasts 0.75 s.
  @Test func theDelayFollowsTheHostsTempo() async throws {
    let music = UnsafeMutablePointer<Music>.allocate(capacity: 1)
    music.initialize(to: Music(tempo: 80, beat: 0))
    defer { music.deallocate() }
    var rig = try await UnitRig("aufx/dely/bkln") { unit in
      for (keyPath, value) in [("sync", 9), ("feedback", 0), ("time", 0.01), ("mix", 100)]
        as [(String, Float)]
      {
        let parameter = try #require(unit.facts.parameter(atKeyPath: keyPath))
        try unit.setParameter(parameter.address, to: value)
      }
      try Music.setBlocks(of: unit, music)
    }
    var impulse = [Float](repeating: 0, count: 48_000)
    impulse[10] = 1
    let output = try rig.render([[impulse, impulse]], frames: 48_000, cycles: [Music.cycle])[0]
    let loudest = try #require(output.indices.max { abs(output[$0]) < abs(output[$1]) })
    #expect(abs(loudest - (10 + 36_000)) <= 1, "frame \(loudest)")
    #expect(abs(output[loudest]) > 0.1)
  }
}
