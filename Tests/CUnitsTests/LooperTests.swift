import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// A loop is recorded from frame `start` to frame `end`, and heard alone.
@Suite struct LooperTests {
  private let unit = BuiltInUnit("aufx/loop/bkln")
  private let start = 3000
  private let length = 5000
  private let seam = 240
  private var end: Int { start + length }
  private let noise = [
    Signals.noise(frames: 60_000, seed: 1), Signals.noise(frames: 60_000, seed: 2),
  ]

  private func play(
    _ presses: [(String, Int)], _ parameters: [String: Float] = [:], input: [[Float]]? = nil,
    blocks: [Int] = [512], music: ((Int64) -> (bl_musical_context, bl_transport_state))? = nil
  ) throws -> (loop: [[Float]], host: UnitHost) {
    let host = try UnitHost(
      unit.descriptor, parameters: ["dry": -96, "memory": 10].merging(parameters) { $1 })
    host.music = music
    let events = presses.map { UnitHost.Event.parameter(host.address($0.0), 1, at: $0.1) }
    let input = input ?? noise
    return (
      host.render(inputs: [input], frames: input[0].count, blockSizes: blocks, events: events), host
    )
  }

  /// Returns a pass of the loop, counted from 0 on.
  private func pass(_ number: Int, of loop: [[Float]]) -> [[Float]] {
    let from = end + number * length
    return loop.map { Array($0[from..<from + length]) }
  }

  private var recording: [(String, Int)] { [("record", start), ("record", end)] }

  @Test func repeatsWhatWasPlayedBetweenThePresses() throws {
    let (loop, host) = try play(recording)
    #expect(host.value("length") == Float(length) / 48_000 && host.value("state") == 2)
    #expect(host.value("record") == 0)
    for (channel, samples) in loop.enumerated() {
      #expect(!samples[..<end].contains { $0 != 0 })
      // From the second pass on nothing fades in; at its end the seam fades.
      #expect(
        samples[end + length..<end + 2 * length - seam]
          .elementsEqual(noise[channel][start..<end - seam]))
    }
  }

  /// Writes the loop to a file, and returns whether there was a loop.
  @discardableResult
  private func save(_ host: UnitHost, to place: String) throws -> Bool {
    let bytes = try host.data(0)
    try Data(bytes).write(to: URL(filePath: place))
    return !bytes.isEmpty
  }

  @Test func aSavedLoopIsThereTheNextTimeToTheBit() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("verse.wav")
    let first = end + length + 1000
    let (loop, host) = try play(recording + [("overdub", first), ("overdub", first + 2000)])
    try save(host, to: place)
    let saved = try SoundFile(reading: place)
    let heard = pass(4, of: loop)
    #expect(identical(saved.channels, heard) && saved.sampleRate == 48_000)

    let next = try UnitHost(
      unit.descriptor, properties: ["file": place], parameters: ["dry": -96, "memory": 10])
    #expect(next.value("state") == 4 && next.value("length") == Float(length) / 48_000)
    let again = next.render(
      inputs: [noise], frames: 4 * length,
      events: [.parameter(next.address("play"), 1, at: 0)])
    let second = again.map { Array($0[length..<2 * length]) }
    #expect(identical(second, heard))
    // What is recorded over it goes with a reset.
    _ = next.render(
      inputs: [noise], frames: 4 * length,
      events: [
        .parameter(next.address("clear"), 1, at: 0), .parameter(next.address("record"), 1, at: 10),
        .parameter(next.address("record"), 1, at: 4000),
      ])
    next.reset()
    let reset = next.render(
      inputs: [noise], frames: 4 * length,
      events: [.parameter(next.address("play"), 1, at: 0)])
    #expect(identical(reset, again))
  }

  @Test func aLoopOfAnotherRateKeepsItsLengthAndPitch() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("sine.wav")
    let sine = Signals.sine(frequency: 441, sampleRate: 44_100, frames: 44_100)
    _ = try SoundFile(sampleRate: 44_100, channels: [sine]).write(place)
    let host = try UnitHost(
      unit.descriptor, properties: ["file": place], parameters: ["dry": -96, "memory": 10])
    let loop = host.render(
      inputs: [noise], frames: 48_000, events: [.parameter(host.address("play"), 1, at: 0)])
    for frame in 1000..<47_000 {
      #expect(abs(loop[1][frame] - Float(sin(2 * Double.pi * 441 * Double(frame) / 48_000))) < 1e-3)
    }
  }

  @Test func aLoopThatIsBeingRecordedIsNotSaved() throws {
    let (_, host) = try play([("record", start)])
    let refusal = try #require(throws: UnitHost.Refusal.self) { try host.data(0) }
    #expect("\(refusal)".contains("is being recorded"))
    #expect(try play([]).host.data(0).isEmpty)
  }

  /// Redo ends a first recording as play does: there is nothing to redo, and the take stays.
  @Test func redoWhileRecordingKeepsTheTake() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("verse.wav")
    let (loop, host) = try play([("record", start), ("redo", end)])
    let (same, _) = try play([("record", start), ("play", end)])
    #expect(identical(loop, same))
    try save(host, to: place)
    #expect(try identical(SoundFile(reading: place).channels, pass(4, of: loop)))
  }

  /// While loops come and go: every file holds one of them. Each is a constant of its own.
  @Test func aSavedLoopIsWholeWhateverIsPressed() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("verse.wav")
    let host = try UnitHost(unit.descriptor, parameters: ["dry": -96, "memory": 10])
    // Of the input before a press a seam is recorded, too.
    let presses = [
      ("clear", 250), ("record", 300), ("record", 3800), ("half", 3810), ("half", 3820),
    ]
    let events = presses.map {
      UnitHost.Event.parameter(host.address($0.0), 1, at: $0.1)
    }
    nonisolated(unsafe) let playing = host
    let player = Thread {
      for value in 1...3000 where !Thread.current.isCancelled {
        let sound = Signals.constant(Float(value), frames: 4096)
        _ = playing.render(
          inputs: [[sound, sound]], frames: 4096, blockSizes: [4096], events: events)
        // Most cycles follow each other at once, and some leave time for the copy.
        if value % 8 == 0 { Thread.sleep(forTimeInterval: 0.0003) }
      }
    }
    player.start()
    var saved = 0
    while !player.isFinished {
      guard (try? save(host, to: place)) == true else { continue }
      let channels = try SoundFile(reading: place).channels
      saved += 1
      let isWhole = channels.allSatisfy { samples in samples.allSatisfy { $0 == channels[0][0] } }
      if !isWhole { player.cancel() }
      #expect(isWhole, "file \(saved)")
    }
    #expect(saved > 0)
  }

  @Test func anOverdubIsTheSumAndUndoTakesItAway() throws {
    let first = end + length + 1000
    let last = end + length + 3000
    let plain = pass(1, of: try play(recording).loop)
    let (loop, host) = try play(
      recording + [
        ("overdub", first), ("overdub", last), ("undo", end + 4 * length + 77),
        ("redo", end + 6 * length + 77),
      ])
    var sum = plain
    for channel in 0..<2 {
      for frame in 0..<2000 { sum[channel][1000 + frame] += noise[channel][first + frame] }
    }
    let overdubbed = pass(2, of: loop)
    for channel in 0..<2 {
      #expect(overdubbed[channel][1000..<3000].elementsEqual(sum[channel][1000..<3000]))
      #expect(overdubbed[channel][..<760].elementsEqual(plain[channel][..<760]))
      #expect(overdubbed[channel][3240...].elementsEqual(plain[channel][3240...]))
    }
    #expect(identical(pass(3, of: loop), overdubbed))
    #expect(identical(pass(5, of: loop), plain))
    #expect(identical(pass(7, of: loop), overdubbed))
    #expect(host.value("layers") == 2)
  }

  @Test func feedbackSaysWhatAnOverdubLeaves() throws {
    let first = end + length
    let (loop, _) = try play(
      recording + [("overdub", first), ("overdub", first + 2 * length)], ["feedback": 50])
    for frame in stride(from: 300, to: length - 300, by: 7) {
      let expected =
        0.5 * (0.5 * noise[0][start + frame] + noise[0][first + frame])
        + noise[0][first + length + frame]
      #expect(abs(pass(3, of: loop)[0][frame] - expected) < 1e-6)
    }
  }

  @Test func theSeamOfASineIsSmooth() throws {
    let sine = [Signals.sine(frequency: 997, frames: 40_000)]
    let presses = ["play", "reverse", "half", "double", "stop", "play", "once"].enumerated().map {
      ($0.element, 20_000 + 1777 * $0.offset)
    }
    let (loop, _) = try play(recording + presses, input: [sine[0], sine[0]])
    #expect(Signals.largestStep(loop[0]) < 1.03 * Signals.largestStep(sine[0]))
  }

  @Test func everyButtonIsHeardAtItsFrameWhateverTheBlocks() throws {
    let names = [
      "record", "record", "overdub", "half", "overdub", "double", "overdub", "reverse", "overdub",
      "undo", "overdub", "stop", "redo", "once", "record", "overdub", "clear", "record", "overdub",
    ]
    let presses = names.enumerated().map { ($0.element, 1000 + 2953 * $0.offset) }
    let (loop, host) = try play(presses)
    for blocks in [[64], [1, 777, 4096]] {
      let (again, other) = try play(presses, blocks: blocks)
      #expect(identical(again, loop) && other.value("position") == host.value("position"))
    }
  }

  /// 120 beats a minute: a beat is 24000 frames, and falls on frame 6000.
  @Test func pressesWaitForTheBeatAndCanBeTakenBack() throws {
    let (_, host) = try play(
      [("record", 100), ("overdub", 7000), ("overdub", 8000), ("record", 29_999)],
      ["quantise": 1], blocks: [100]
    ) { time in
      var context = bl_musical_context()
      context.tempo = 120
      context.beat_position = Double(time - 6000) / 24_000
      var transport = bl_transport_state()
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      return (context, transport)
    }
    #expect(host.value("length") == 0.5 && host.value("position") == 6000 / 48_000)
  }

  /// A file of a longer loop would be refused.
  @Test func aLoopDoublesUpToTenMinutes() throws {
    let presses = (0..<20).map { ("double", end + 100 * ($0 + 1)) }
    let length = Double(try play(recording + presses).host.value("length"))
    #expect(length > 300 && length <= 600)
  }

  @Test func aFullTapeClosesTheLoop() throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: ["memory": 10])
    let events = [UnitHost.Event.parameter(host.address("record"), 1, at: 0)]
    _ = host.render(frames: 481_000, blockSizes: [4096], events: events)
    #expect(host.value("state") == 2 && host.value("length") == 10)
  }
}
