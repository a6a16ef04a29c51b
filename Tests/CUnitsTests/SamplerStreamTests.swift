import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The sampler plays what does not fit into its memory from the disk, with the same bits.
@Suite struct SamplerStreamTests {
  let unit = BuiltInUnit("aumu/smpl/bkln")
  let folder: TemporaryFolder

  /// `long.wav`: 1.2 MB in memory, mono; `long.flac`: as much, stereo, at another rate.
  init() throws {
    folder = try TemporaryFolder()
    try SoundFile.noise(frames: 300_000, channels: 1).write(folder.path("long.wav"), .wave24)
    try SoundFile.noise(frames: 150_000, channels: 2, sampleRate: 44_100)
      .write(folder.path("long.flac"), .flac)
  }

  private func host(_ text: String, memory: String, channels: Int = 1) throws -> UnitHost {
    let file = try folder.write("instrument.sfz", bytes: Array(text.utf8))
    return try UnitHost(
      unit.descriptor, outputChannels: [channels], properties: ["file": file, "memory": memory],
      parameters: ["polyphony": 128])
  }

  /// What the same notes sound like from memory, and from the disk in blocks of each size.
  private func expectSameBits(
    _ text: String, frames: Int, _ events: [UnitHost.Event], channels: Int = 1,
    blockSizes: [[Int]] = [[512]]
  ) throws {
    let expected = try host(text, memory: "1024", channels: channels)
      .render(frames: frames, events: events)
    #expect(expected[0].suffix(100).contains { $0 != 0 })
    for blocks in blockSizes {
      let streamed = try host(text, memory: "1", channels: channels)
      let output = streamed.render(frames: frames, blockSizes: blocks, events: events)
      for channel in 0..<channels {
        #expect(
          firstDifference(output[channel], expected[channel]) == nil, "blocks of \(blocks): \(text)"
        )
      }
      #expect(streamed.value("underruns") == 0)
    }
  }

  @Test(arguments: [(UInt8(36), 90_000), (53, 120_000), (60, 120_000), (67, 120_000), (84, 60_000)])
  func soundsLikeFromMemory(key: UInt8, frames: Int) throws {
    try expectSameBits("<region> sample=long.wav", frames: frames + 10_000, [.on(key, at: 77)])
    try expectSameBits(
      "<region> sample=long.flac offset=30000", frames: frames / 2, [.on(key, at: 77)], channels: 2)
  }

  /// The loop begins behind what is kept of the beginning; after it comes the rest of the sample.
  @Test(arguments: [UInt8(57), 60, 76]) func goesRoundLoops(key: UInt8) throws {
    for mode in ["loop_continuous", "loop_sustain"] {
      let text = """
        <region> sample=long.wav loop_mode=\(mode) loop_start=90000 loop_end=92999
        loop_crossfade=0.02 ampeg_release=20
        """
      try expectSameBits(text, frames: 180_000, [.on(key), .off(key, at: 100_001)])
    }
  }

  @Test func playsManyVoicesInBlocksOfAnySize() throws {
    let text = """
      <region> sample=long.wav hikey=63 <region> sample=long.flac lokey=64 ampeg_attack=0.1
      <region> trigger=release sample=long.wav offset=20000
      """
    let beginnings = (0..<40).map { UnitHost.Event.on(UInt8(42 + $0), at: 100 * $0) }
    let ends = (0..<20).map { UnitHost.Event.off(UInt8(42 + 2 * $0), at: 50_000 + $0) }
    try expectSameBits(
      text, frames: 80_000, beginnings + ends, blockSizes: [[4096], [64, 1, 700], [1]])
  }

  /// The sample's file is gone before the disk is needed.
  @Test func fadesOutWhereTheDiskIsTooLate() throws {
    let ones = Signals.constant(0.5, frames: 300_000)
    let path = folder.path("ones.wav")
    try SoundFile(sampleRate: 48_000, channels: [ones]).write(path, .waveFloat)
    let host = try host("<region> sample=ones.wav", memory: "1")
    try FileManager.default.removeItem(atPath: path)
    let output = host.render(frames: 80_000, events: [.on(60)])[0]
    let begin = try #require(output.firstIndex { $0 < 0.5 })
    #expect((65_000..<65_536).contains(begin))
    #expect(output[(begin + 200)...].allSatisfy { $0 == 0 })
    let steps = zip(output[begin...], output[(begin - 1)...]).map { abs($0 - $1) }
    #expect(steps.allSatisfy { $0 < 0.5 / 150 })
    #expect(host.value("underruns") == 1)
    // What is in memory still plays.
    #expect(host.render(frames: 1000, events: [.on(60)])[0][999] == 0.5)
  }

  /// Four octaves above its own pitch the sample is soon at its end, sooner than the disk.
  @Test func fadesOutWithoutWaiting() throws {
    let ones = Signals.constant(0.5, frames: 300_000)
    try SoundFile(sampleRate: 48_000, channels: [ones]).write(folder.path("ones.wav"), .waveFloat)
    let host = try host("<region> sample=ones.wav pitch_keycenter=12", memory: "1")
    var late = 0
    for _ in 0..<50 where late == 0 {
      host.reset()
      let before = host.value("underruns")
      var output = host.render(frames: 64, events: [.on(60)])[0]
      while output.count < 16_000 { output += renderWithoutWaiting(host, frames: 4096) }
      late = Int(host.value("underruns") - before)
      #expect(output.contains(0) == (late > 0))
      // But that with which the note begins.
      let steps = zip(output.dropFirst(64), output.dropFirst(63)).map { abs($0 - $1) }
      #expect(steps.allSatisfy { $0 < 0.5 / 150 })
    }
    #expect(late > 0)
  }

  /// Four and a half octaves up, what is read ahead lasts for 60 ms, however much is in memory.
  @Test func readsHighNotesInTime() throws {
    let ones = Signals.constant(0.5, frames: 2_200_000)
    try SoundFile(sampleRate: 48_000, channels: [ones]).write(folder.path("ones.wav"), .wave16)
    let text = """
      <region> sample=ones.wav pitch_keycenter=0 hikey=54
      <region> sample=ones.wav offset=700000 key=55
      """
    let host = try host(text, memory: "2")
    var late = 1
    for _ in 0..<5 where late > 0 {
      host.reset()
      let before = host.value("underruns")
      _ = host.render(frames: 512, events: [.on(54)])
      let begin = Date()
      for block in 1..<140 {
        _ = renderWithoutWaiting(host, frames: 512)
        Thread.sleep(until: begin + Double(512 * block) / 48_000)
      }
      late = Int(host.value("underruns") - before)
    }
    #expect(late == 0)
  }

  @Test func readsTheFileAnewForOtherMemory() throws {
    let host = try host("<region> sample=long.wav", memory: "1024")
    let expected = host.render(frames: 100_000, events: [.on(60)])[0]
    for memory in ["1", "1.1", "1024"] {
      try host.setProperty("memory", memory)
      // What sounds fades out.
      _ = host.render(frames: 2000)
      #expect(
        firstDifference(host.render(frames: 100_000, events: [.on(60)])[0], expected) == nil)
    }
    #expect(host.value("underruns") == 0)
  }

  @Test(arguments: ["", "0", "0.5", "-1", "nan", "a lot", "1048577"])
  func refusesMemory(memory: String) throws {
    let refusal = try #require(throws: UnitHost.Refusal.self) {
      try host("<region> sample=long.wav", memory: memory)
    }
    #expect("\(refusal)".contains("is not between 1 and 1048576 (MiB)"))
  }

  @Test func refusesMoreThanFitsIntoMemory() throws {
    let loop = "<region> sample=long.wav loop_mode=loop_continuous loop_start=10 loop_end=299999"
    let host = try host(loop, memory: "1024")
    let expected = host.render(frames: 1000, events: [.on(60)])[0]
    let refusal = try #require(throws: UnitHost.Refusal.self) {
      try host.setProperty("memory", "1")
    }
    #expect("\(refusal)".contains("instrument.sfz: even how its samples begin"))
    #expect("\(refusal)".contains("needs more than 1 MiB of memory"))
    host.reset()
    #expect(host.render(frames: 1000, events: [.on(60)])[0] == expected)
  }

  @Test func keepsSoundFontsInMemory() throws {
    let font = SoundFontFile(presets: [
      SoundFontFile.Preset(zones: [
        SoundFontFile.Zone(SoundFile.sine(500, frames: 600_000).channels[0], loop: 8..<16, [])
      ])
    ])
    let file = try folder.write("long.sf2", bytes: font.bytes)
    let refusal = try #require(throws: UnitHost.Refusal.self) {
      try UnitHost(unit.descriptor, properties: ["memory": "1", "file": file])
    }
    #expect("\(refusal)".contains("chunk smpl: the samples need more than 1 MiB of memory"))
  }
}
