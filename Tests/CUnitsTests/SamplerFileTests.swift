import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// What the sampler says of files that it cannot play, and of what it leaves out.
@Suite struct SamplerFileTests {
  let unit = BuiltInUnit("aumu/smpl/bkln")
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try SoundFile.sine(500, frames: 960).write(folder.path("sine.wav"))
  }

  /// The reason for which a file is refused; nil for one that is played.
  private func refusal(of name: String, _ bytes: [UInt8]) throws -> String? {
    let file = try folder.write(name, bytes: bytes)
    do {
      _ = try UnitHost(unit.descriptor, properties: ["file": file])
      return nil
    } catch let refusal as UnitHost.Refusal {
      return "\(refusal)"
    }
  }

  private func refusal(of text: String) throws -> String? {
    try refusal(of: "test.sfz", Array(text.utf8))
  }

  /// What the sampler lists as left out.
  private func report(of host: UnitHost) -> String {
    var reply = [CChar](repeating: 0, count: Int(BL_MESSAGE_CAPACITY))
    #expect(unit.facts.receive_message(host.unit, "warnings", "", &reply, reply.count) == BL_OK)
    return String(
      decoding: reply.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test(arguments: [
    ("<region>\nsample=none.wav", "test.sfz:2: sample=none.wav: cannot open"),
    ("<regoin>", "test.sfz:1: there is no header <regoin>; did you mean <region>?"),
    ("<region> sample=sine.wav\n\nkey=200", "test.sfz:3: key=200: it may be -1 to 127"),
    ("<region> key=h4", "test.sfz:1: key=h4: a key, such as 60 or c4, is expected"),
    ("<region> cutoff=high", "test.sfz:1: cutoff=high: a number is expected"),
    ("<region> cutoff=nan", "test.sfz:1: cutoff=nan: a number is expected"),
    ("<region> cutoff=1,5", "test.sfz:1: cutoff=1,5: a number is expected"),
    ("<region> cutoff=1e999", "test.sfz:1: cutoff=1e999: a number is expected"),
    ("<region> loop_mode=loop_sustian", "did you mean “loop_sustain”?"),
    ("key=60", "test.sfz:1: key before the first <header>"),
    ("hello", "“hello” is neither a <header> nor opcode=value"),
    ("<region> sample=../sine.wav", "../sine.wav leads out of the folder"),
    ("<region> sample=/etc/passwd", "/etc/passwd is not in the folder"),
    ("<control> default_path=a/../../ <region> sample=sine.wav", "leads out of the folder"),
    ("\n#include \"test.sfz\"", "test.sfz:2: test.sfz includes itself"),
    ("#include \"none.sfz\"", "test.sfz:1: cannot open"),
    ("<region> sample=sine.wav\n#define", "test.sfz:2: #define needs a name that begins with $"),
    ("#define $", "test.sfz:1: #define needs a name that begins with $"),
    (
      "<group>\n" + String(repeating: "pan=0 ", count: 1001),
      "test.sfz:2: more than 1000 opcodes under one header"
    ),
    (
      (0...1000).map { "#define $a\($0) 1" }.joined(separator: "\n"),
      "test.sfz:1001: more than 1000 definitions"
    ),
    ("<region> sample=$NAME", "test.sfz:1: $NAME is not defined"),
    ("<region> sample=sine.wav offset=960", "offset=960: the sample ends after 960 frames"),
    ("<region> sample=*sawtooth", "a file's name, or *silence, is expected"),
    ("// nothing", "there is no <region> with a sample"),
  ]) func refusesByLine(text: String, reason: String) throws {
    let message = try #require(try refusal(of: text))
    #expect(message.contains(reason), "\(message)")
  }

  /// A pipe that nobody writes to does not hold the reader up.
  @Test func refusesPipes() throws {
    for name in ["pipe.sfz", "pipe.sf2"] {
      #expect(mkfifo(folder.path(name), 0o600) == 0)
      #expect {
        _ = try UnitHost(unit.descriptor, properties: ["file": folder.path(name)])
      } throws: {
        "\($0)".contains("\(name): it is not a regular file")
      }
    }
    #expect(
      try refusal(of: "#include \"pipe.sfz\"")?
        .contains("pipe.sfz: it is not a regular file") == true)
  }

  /// 24 controllers that each raise the level and the resonance as far as they can.
  @Test func noSumOfControllersLeavesTheRange() throws {
    let opcodes = (1...8).map {
      "volume_oncc\($0)=1e9 resonance_oncc\($0)=1e9 amplitude_oncc\($0)=1e9"
    }
    let text = "<region> sample=sine.wav cutoff=500 " + opcodes.joined(separator: " ")
    let file = try folder.write("test.sfz", bytes: Array(text.utf8))
    let host = try UnitHost(unit.descriptor, properties: ["file": file])
    let events =
      (1...8).map { UnitHost.Event.midi([0xB0, $0, 127], at: 0) } + [.midi([0x90, 60, 127], at: 1)]
    let output = host.render(frames: 960, events: events)
    #expect(output.allSatisfy { $0.allSatisfy(\.isFinite) })
  }

  @Test func oneKeyHasSoManyRegions() throws {
    for (count, warnings) in [(4096, Float(0)), (4097, 1)] {
      let text = String(repeating: "<region> sample=*silence ", count: count)
      let file = try folder.write("test.sfz", bytes: Array(text.utf8))
      #expect(
        try UnitHost(unit.descriptor, properties: ["file": file]).value("warnings") == warnings)
    }
  }

  @Test func doublingDefinitionsEnd() throws {
    let lines = (1...40).map { "#define $a\($0) $a\($0 - 1)$a\($0 - 1)" }
    let text = (["#define $a0 xx"] + lines).joined(separator: "\n")
    #expect(try refusal(of: text)?.contains("a value longer than") == true)
  }

  @Test func understandsTheLanguage() throws {
    _ = try folder.write("keys.sfz", bytes: Array("<region> sample=$FILE\\Sine.WAV key=c#4".utf8))
    try FileManager.default.createDirectory(
      atPath: folder.path("Samples"), withIntermediateDirectories: true)
    _ = try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 960)])
      .write(folder.path("Samples/sine.wav"))
    let text = """
      /* A comment
         over lines <region> */ #define $FILE Samples
      <global> volume=-6 <master> amp_veltrack=0 // another
      <group> amplitude=50
      #include "keys.sfz"
      """
    let file = try folder.write("test.sfz", bytes: Array(text.utf8))
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(
      frames: 200, events: [.midi([0x90, 60, 9], at: 0), .midi([0x90, 61, 9], at: 100)])[0]
    #expect(output[..<100].allSatisfy { $0 == 0 })
    #expect(abs(output[150] - 0.25 * 0.501187) < 1e-5)
  }

  @Test(arguments: ["-6", "-6.", "-.6e1", "-600E-2", "+60.0e-1", "6.000000000000000000"])
  func readsNumbers(_ number: String) throws {
    let file = try folder.write(
      "test.sfz", bytes: Array("<region> sample=ones.wav volume=\(number)".utf8))
    _ = try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 960)])
      .write(folder.path("ones.wav"))
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(frames: 200, events: [.midi([0x90, 60, 127], at: 0)])[0]
    let decibels = 20 * log10(output[100] / 0.5)
    #expect(abs(decibels - (number.hasPrefix("-") ? -6 : 6)) < 1e-4)
  }

  @Test func warnsOfWhatItLeavesOut() throws {
    let text =
      "<region> sample=sine.wav cutof=300\namp_attack=2 volume=99 cutof=400 tune_oncc1=-1e300"
    let file = try folder.write("test.sfz", bytes: Array(text.utf8))
    let host = try UnitHost(unit.descriptor, properties: ["file": file])
    #expect(host.value("warnings") == 4)
    #expect(
      report(of: host) == """
        test.sfz:1: cutof is not supported (did you mean “cutoff”?)
        test.sfz:2: amp_attack is not supported (did you mean “ampeg_attack”?)
        test.sfz:2: volume=99 is held to 48
        test.sfz:2: tune_oncc1=-1e300 is held to -12000

        """)
  }

  @Test func warnsOfLoopsAndControllersBeyondTheirRange() throws {
    let text = """
      <control> set_cc131=64 set_cc20=200
      <region> sample=sine.wav loop_mode=loop_continuous loop_start=10 loop_end=960
      <region> sample=sine.wav loop_mode=loop_continuous loop_start=960
      """
    let file = try folder.write("test.sfz", bytes: Array(text.utf8))
    let host = try UnitHost(unit.descriptor, properties: ["file": file])
    #expect(
      report(of: host) == """
        test.sfz:1: set_cc131 is not supported
        test.sfz:1: set_cc20=200 is held to 127
        test.sfz:2: loop_end=960 is past the sample's 960 frames
        test.sfz:3: loop_start=960 is past the loop's end

        """)
  }

  /// A sparse file of 2 GiB.
  @Test func playsFilesThatDoNotFitIntoMemory() throws {
    func word(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let size = 1 << 31
    let head =
      Array("RIFF".utf8) + word(size + 36) + Array("WAVEfmt ".utf8) + word(16) + [1, 0, 1, 0]
      + word(48_000) + word(96_000) + [2, 0, 16, 0] + Array("data".utf8) + word(size)
    let file = try folder.write("huge.wav", bytes: head)
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.truncate(atOffset: UInt64(size + head.count))
    try handle.close()
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(frames: 100_000, events: [.midi([0x90, 60, 127], at: 0)])[0]
    #expect(output.allSatisfy { $0 == 0 })
    #expect(host.value("underruns") == 0)
  }

  // MARK: - SoundFonts

  private static let font = SoundFontFile(presets: [
    SoundFontFile.Preset(zones: [
      SoundFontFile.Zone(SoundFile.sine(500, frames: 480).channels[0], loop: 96..<384, [(54, 1)])
    ])
  ])

  /// What the sampler lists as left out of a font, which is played.
  private func warnings(of font: SoundFontFile, _ change: (inout [UInt8]) -> Void = { _ in })
    throws -> String
  {
    var bytes = font.bytes
    change(&bytes)
    let file = try folder.write("test.sf2", bytes: bytes)
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(frames: 100, events: [.midi([0x90, 60, 127], at: 0)])[0]
    #expect(output.contains { $0 != 0 })
    return report(of: host)
  }

  /// A zone or a sample that cannot be played is left out, and the others are played.
  @Test func leavesOutWhatLiesOutside() throws {
    var font = Self.font
    font.presets[0].zones.append(font.presets[0].zones[0])
    #expect(try warnings(of: font) == "")
    /// The file with one byte of the second sample's record changed.
    func changed(_ offset: Int, to byte: UInt8) throws -> String {
      try warnings(of: font) { bytes in
        // The list of samples is the last; with the record that ends it, it has three.
        bytes[bytes.count - 2 * 46 + offset] = byte
      }
    }
    #expect(try changed(27, to: 9) == "test.sf2: sample 1, sample, lies outside of the file\n")
    #expect(
      try changed(37, to: 0) == "test.sf2: sample 1, sample, has no rate that can be played\n")
    font.presets[0].zones[1].generators.append((1, 5))
    #expect(
      try warnings(of: font)
        == "test.sf2: a zone goes beyond the 480 frames of sample 1, sample\n")
  }

  @Test func refusesByChunk() throws {
    let whole = Self.font.bytes
    #expect(try refusal(of: "test.sf2", whole) == nil)
    /// The file with one byte of a chunk's content changed.
    func changed(_ chunk: String, _ offset: Int, to byte: UInt8) throws -> String? {
      let name = Array(chunk.utf8)
      let place = try #require(
        (0..<(whole.count - 4)).last { Array(whole[$0..<($0 + 4)]) == name })
      var bytes = whole
      bytes[place + 8 + offset] = byte
      return try refusal(of: "test.sf2", bytes)
    }
    let cases: [(String, Int, UInt8, String)] = [
      ("phdr", 62, 9, "chunk phdr: record 0 names 0 to 9 of the 1 in pbag"),
      ("pgen", 2, 9, "chunk pgen: instrument 9 of 1"),
      ("igen", 6, 9, "chunk igen: sample 9 of 1"),
      ("shdr", 27, 9, "chunk phdr: there is no preset that sounds"),
      ("shdr", 35, 9, "chunk phdr: there is no preset that sounds"),
    ]
    for (chunk, offset, byte, reason) in cases {
      let message = try #require(try changed(chunk, offset, to: byte), "\(chunk)")
      #expect(message.contains("test.sf2: \(reason)"), "\(message)")
    }
    for length in [0, 11, 60, whole.count - 200, whole.count - 1] {
      #expect(try refusal(of: "test.sf2", Array(whole[..<length])) != nil)
    }
  }
}
