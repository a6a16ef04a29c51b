import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The sampler's messages about files that it cannot play, and about parts that it leaves out.
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

  /// Returns the parts that the sampler reports as left out.
  private func report(of host: UnitHost) -> String {
    var reply = [CChar](repeating: 0, count: Int(BL_MESSAGE_CAPACITY))
    #expect(unit.facts.receive_message(host.unit, "warnings", "", &reply, reply.count) == BL_OK)
    return String(
      decoding: reply.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Nothing of these plays; the message tells the first thing that was left out.
  @Test(arguments: [
    ("<region>\nsample=none.wav", "plays; test.sfz:2: sample=none.wav: cannot open"),
    ("<regoin> sample=sine.wav", "there is no header <regoin>; did you mean <region>?"),
    ("hello", "test.sfz:1: “hello” is neither a <header> nor opcode=value"),
    ("<region> sample=*pink", "sample=*pink: it may be a file's name, or *silence, *sine"),
    ("<region> sample=sine.wav offset=960", "offset=960: the sample ends after 960 frames"),
    ("// nothing", "test.sfz: there is no <region> that plays"),
  ]) func refusesWhatPlaysNothing(text: String, reason: String) throws {
    let message = try #require(try refusal(of: text))
    #expect(message.contains(reason), "\(message)")
  }

  /// What is wrong is left out, with its line; the other region plays.
  @Test(arguments: [
    ("<region> key=70\nsample=none.wav", "test.sfz:2: sample=none.wav: cannot open"),
    ("<regoin> key=70", "test.sfz:1: there is no header <regoin>; did you mean <region>?"),
    ("<region key=70 sample=sine.wav", "test.sfz:1: a header without its >"),
    ("<region> sample=sine.wav key=h4 lokey=70", "key=h4: a number is expected"),
    ("<group>\n\nkey=200 <group>", "test.sfz:3: key=200 is held to 128"),
    ("<group> hikey=200 <group>", "test.sfz:1: hikey=200 is held to 127"),
    ("<group> cutoff=high <group>", "test.sfz:1: cutoff=high: a number is expected"),
    ("<group> cutoff=nan <group>", "test.sfz:1: cutoff=nan: a number is expected"),
    ("<group> cutoff=1e999 <group>", "test.sfz:1: cutoff=1e999: a number is expected"),
    ("<group> volume= <group>", "test.sfz:1: volume=: a number is expected"),
    ("<group> ampeg_release=0.5s <group>", "ampeg_release=0.5s is read as 0.5"),
    ("<group> hikey=60offset=0 <group>", "hikey=60offset=0 is read as 60"),
    ("<group> loop_mode=loop_sustian <group>", "did you mean “loop_sustain”?"),
    ("<group> fil_type=hpf_4p <group>", "fil_type=hpf_4p is not supported; hpf_2p takes its place"),
    ("<group> fil_type=comb <group>", "fil_type=comb is not supported; nothing takes its place"),
    ("key=70", "test.sfz:1: key is before the first <header>"),
    ("A kit by somebody", "“A kit by somebody” is neither a <header> nor opcode=value"),
    ("#include \"test.sfz\"", "test.sfz:1: #include is left out: test.sfz includes itself"),
    ("#include \"none.sfz\"", "test.sfz:1: #include is left out: cannot open"),
    ("#include none.sfz", "#include needs a file name in quotation marks"),
    ("#define", "test.sfz:1: #define needs a name that begins with $"),
    ("#define $", "test.sfz:1: #define needs a name that begins with $"),
    ("<region> key=70 sample=$NAME.wav", "test.sfz:1: $NAME is not defined"),
    (
      "<group>\n" + String(repeating: "pan=0 ", count: 1001) + "<group>",
      "test.sfz:2: more than 1000 opcodes under one header"
    ),
    (
      (0...1000).map { "#define $a\($0) 1" }.joined(separator: "\n"),
      "test.sfz:1001: more than 1000 definitions"
    ),
    ("<region> key=70 sample=sine.wav offset=960", "offset=960: the sample ends after 960 frames"),
    ("<region> key=70 sample=*pink", "sample=*pink: it may be a file's name, or *silence, *sine"),
    ("<region> key=70", "test.sfz:1: a region without a sample"),
    ("<curve> curve_index=7 v000=0", "test.sfz:1: <curve> is not supported"),
  ]) func leavesOutWhatIsWrong(text: String, reason: String) throws {
    let played = try playing("test.sfz", text + "\n<region> sample=sine.wav lokey=0 hikey=65\n")
    #expect(played.level > 0.3)
    #expect(played.report.contains(reason), "\(played.report)")
    #expect(played.host.value("warnings") >= 1)
  }

  /// A host that has played key 60, the peak of it, and the report.
  private func playing(
    _ name: String, bytes: [UInt8]
  ) throws -> (host: UnitHost, level: Float, report: String) {
    let file = try folder.write(name, bytes: bytes)
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(frames: 900, events: [.midi([0x90, 60, 127], at: 0)])[0]
    return (host, output.map(abs).max() ?? 0, report(of: host))
  }

  private func playing(
    _ name: String, _ text: String
  ) throws -> (host: UnitHost, level: Float, report: String) {
    try playing(name, bytes: Array(text.utf8))
  }

  /// Files as people have them, of which nothing is left out.
  @Test(arguments: [
    "volume = -3  //range\n", "<Region> key = 60 sample = sine.wav", "< region >sample=sine.wav",
    "<region> Sample=sine.wav KEY=C4 Loop_Mode=No_Loop", "<region> sample=\"sine.wav\"",
    "<region> key=60 lovel=0.0 hivel=127.0 sample=sine.wav", "<region>\tsample=sine.wav\t",
    "<region> sample=sine.wav // the A", "<region>\u{A0}key=60\u{A0}sample=sine.wav",
    "<region> sample=.\\SINE.WAV", "<region> sample=*sine",
    "<region> sample=./x/../sine.wav", "<control> default_path=x <region> sample=sine.wav",
    "<control> default_path=\"x\\\" <region> sample=sine.wav",
    "<region> sample=C:\\Users\\Me\\Kit\\x\\sine.wav", "<region> sample=\\x\\sine.wav",
    "<group> group_volume=0 gain=0 master_amplitude=100 <region> sample=sine.wav",
  ]) func playsFilesAsPeopleHaveThem(text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("x"), withIntermediateDirectories: true)
    _ = try SoundFile.sine(500, frames: 960).write(folder.path("x/sine.wav"))
    let text = text.hasPrefix("volume") ? text + "<region> sample=sine.wav" : text
    let played = try playing("test.sfz", text)
    #expect(played.level > 0.3)
    #expect(played.report == "" || text.hasPrefix("volume"), "\(played.report)")
  }

  /// Texts in other encodings, with marks before and behind them.
  @Test func readsEncodings() throws {
    let text = "// Müller 🎹\r\n<region> sample=sine.wav\r\n"
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    for bytes in [
      [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big,
      Array("// M".utf8) + [0xFC] + Array("ller\r<region> sample=sine.wav\r".utf8) + [0x1A, 0, 0],
    ] {
      let played = try playing("test.sfz", bytes: bytes)
      #expect(played.level > 0.3)
      #expect(played.report == "")
    }
    #expect(try refusal(of: "test.sfz", [0x3C, 1, 0, 2])?.contains("test.sfz is not text") == true)
  }

  /// Names in Latin-1, and composed otherwise than the file system has them.
  @Test func findsNamesHoweverTheirAccentsAreWritten() throws {
    _ = try SoundFile.sine(500, frames: 960).write(folder.path("Flöte É.wav"))
    let decomposed = "<region> sample=Flo\u{308}te E\u{301}.wav"
    for name in [
      Array(decomposed.utf8), Array("<region> sample=FLÖTE é.wav".utf8),
      Array("<region> sample=Fl".utf8) + [0xF6] + Array("te ".utf8) + [0xC9] + Array(".wav".utf8),
    ] {
      #expect(try playing("test.sfz", bytes: name).level > 0.3)
    }
  }

  /// Samples lie in any folder, and behind links; an included file's lie beside it, too.
  @Test func readsSamplesOfAnyFolder() throws {
    for name in ["Kit", "Samples", "Kit/Parts"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    _ = try SoundFile.sine(500, frames: 960).write(folder.path("Samples/a.wav"))
    _ = try SoundFile.sine(500, frames: 960).write(folder.path("Kit/Parts/b.wav"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Kit/Linked"), withDestinationPath: folder.path("Samples"))
    _ = try folder.write("Kit/Parts/b.sfz", bytes: Array("<region> sample=b.wav".utf8))
    for text in [
      "<region> sample=../Samples/a.wav", "<region> sample=..\\samples\\A.wav",
      "<region> sample=Linked/a.wav", "<region> sample=\(folder.path("Samples/a.wav"))",
      "<control> default_path=..\\Samples <region> sample=a.wav", "#include \"parts\\B.sfz\"",
    ] {
      let played = try playing("Kit/test.sfz", text)
      #expect(played.level > 0.3, "\(text)")
      #expect(played.report == "")
    }
    // What the file itself is a link to has its samples beside it.
    _ = try folder.write("Kit/test.sfz", bytes: Array("<region> sample=parts/b.wav".utf8))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.sfz"), withDestinationPath: folder.path("Kit/test.sfz"))
    let host = try UnitHost(unit.descriptor, properties: ["file": folder.path("link.sfz")])
    #expect(report(of: host) == "")
  }

  /// Of one kind, the first is told, and the others are counted.
  @Test func countsWhatItLeavesOut() throws {
    let regions = (0..<300).map { "<region> key=\($0 % 60) sample=gone\($0 % 7).wav" }
    let text = (regions + ["<region> sample=sine.wav"]).joined(separator: "\n")
    let played = try playing("test.sfz", text)
    #expect(played.report.hasPrefix("test.sfz:1: sample=gone0.wav: cannot open "))
    #expect(played.report.hasSuffix("(and 299 more)\n"))
    #expect(played.host.value("warnings") == 300)
    let many = (0..<100).map { "nonsense\($0)x=1" }.joined(separator: " ")
    let other = try playing("test.sfz", "<region> sample=sine.wav \(many)")
    #expect(other.report.hasSuffix("and 36 more of other kinds\n"), "\(other.report)")
    #expect(other.host.value("warnings") == 100)
  }

  /// A host hears of every file that an instrument consists of, or lacks, to watch them.
  @Test func namesItsFiles() throws {
    _ = try folder.write("part.sfz", bytes: Array("<region> sample=gone.wav".utf8))
    let text = "<region> sample=sine.wav <region> sample=*sine <region> sample=sine.wav"
    let played = try playing("test.sfz", text + "\n#include \"part.sfz\"")
    var files: Set<String> = []
    for number in 0..<10 {
      var reply = [CChar](repeating: 0, count: Int(BL_MESSAGE_CAPACITY))
      #expect(
        unit.facts.receive_message(played.host.unit, "files", "\(number)", &reply, reply.count)
          == BL_OK)
      files.insert(
        String(decoding: reply.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    #expect(
      files
        == Set(["test.sfz", "part.sfz", "sine.wav", "gone.wav"].map(folder.path) + [""]))
  }

  /// A host gets the report as the message of a property that is set.
  @Test func tellsTheHostWhatItLeavesOut() throws {
    let file = try folder.write(
      "test.sfz", bytes: Array("<region> sample=sine.wav cutof=3".utf8))
    let host = try UnitHost(unit.descriptor)
    var message = [CChar](repeating: 0, count: Int(BL_MESSAGE_CAPACITY))
    #expect(unit.facts.set_property(host.unit, 1, file, &message, message.count) == BL_OK)
    let text = String(
      decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #expect(text == "test.sfz:1: cutof is not supported (did you mean “cutoff”?)\n")
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
      try playing("test.sfz", "#include \"pipe.sfz\"\n<region> sample=sine.wav").report
        .contains("pipe.sfz: it is not a regular file"))
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

  /// Of one key there may be many regions, and fewer that one message may start.
  @Test func oneKeyHasSoManyRegions() throws {
    func warnings(_ regions: [String]) throws -> Float {
      let text = regions.map { "<region> sample=*silence \($0)\n" }.joined()
      let file = try folder.write("test.sfz", bytes: Array(text.utf8))
      return try UnitHost(unit.descriptor, properties: ["file": file]).value("warnings")
    }
    let many = (0..<4096).map {
      "key=60 lovel=\($0 % 64 + 1) hivel=\($0 % 64 + 1) sw_last=\($0 / 512)"
    }
    #expect(try warnings(many) == 0)
    #expect(try warnings(many + ["key=60"]) == 1)
    let same = [String](repeating: "key=60", count: 512)
    #expect(try warnings(same) == 0)
    #expect(try warnings(same + ["key=60 trigger=release"]) == 0)
    #expect(try warnings(same + ["key=60 trigger=legato"]) == 1)
  }

  /// One of 4096 regions sounds: that of its velocity and of the key that chooses.
  @Test func findsOneOfManyRegions() throws {
    let regions = (0..<4096).map { index in
      "<region> key=100 lovel=\(index % 64 + 1) hivel=\(index % 64 + 1) sw_last=\(index / 64)"
        + " sample=\(index == 63 * 64 + 20 ? "sine.wav" : "*silence")\n"
    }
    let file = try folder.write("test.sfz", bytes: Array(regions.joined().utf8))
    func level(_ chosen: UInt8, _ velocity: UInt8) throws -> Float {
      let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
      let output = host.render(frames: 900, events: [.on(chosen), .on(100, velocity, at: 10)])[0]
      return output.map(abs).max() ?? 0
    }
    #expect(try level(63, 21) > 0.01)
    #expect(try level(63, 22) == 0)
    #expect(try level(62, 21) == 0)
  }

  @Test func doublingDefinitionsEnd() throws {
    let lines = (1...40).map { "#define $a\($0) $a\($0 - 1)$a\($0 - 1)" }
    let text = (["#define $a0 xx"] + lines).joined(separator: "\n")
    let played = try playing("test.sfz", text + "\n<region> sample=sine.wav")
    #expect(played.report.contains("a value longer than"))
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
    #expect(host.value("warnings") == 5)
    #expect(
      report(of: host) == """
        test.sfz:1: cutof is not supported (did you mean “cutoff”?) (and 1 more)
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

  /// Returns the parts that the sampler reports as left out of a font, which it plays.
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
      try changed(37, to: 0)
        == "test.sf2: sample 1, sample, has a rate of 128 Hz; 44100 takes its place\n")
    font.presets[0].zones[1].generators.append((1, 5))
    #expect(
      try warnings(of: font)
        == "test.sf2: a zone goes beyond the 480 frames of sample 1, sample\n")
  }

  /// A sample's loop and end beyond the file, and a zone's beyond its sample, are held to it.
  @Test func holdsLoopsAndZonesToTheirSamples() throws {
    for generators in [[(1, 32)], [(3, 300)], [(0, -5)], [(2, -200)]] {
      var font = Self.font
      font.presets[0].zones[0].generators += generators
      let file = try folder.write("test.sf2", bytes: font.bytes)
      let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
      let output = host.render(frames: 4800, events: [.midi([0x90, 60, 127], at: 0)])[0]
      // It goes round: 480 frames would be over.
      #expect(output[2400...].contains { abs($0) > 0.3 })
      #expect(report(of: host).hasPrefix("test.sf2: a zone goes beyond the 480 frames"))
    }
    // The header's loop, as the zone's offsets alone make it one.
    var font = Self.font
    font.presets[0].zones[0].loop = 0..<0
    font.presets[0].zones[0].generators += [(2, 96), (3, 384)]
    let file = try folder.write("test.sf2", bytes: font.bytes)
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(frames: 4800, events: [.midi([0x90, 60, 127], at: 0)])[0]
    #expect(output[2400...].contains { abs($0) > 0.3 })
    #expect(report(of: host) == "")
  }

  /// A font whose samples are Ogg files, as MuseScore's are (.sf3).
  @Test func playsCompressedFonts() throws {
    let ogg = try SoundFile.sine(500, frames: 4800).write(folder.path("tone.ogg"), .vorbis)
    var font = Self.font
    font.presets[0].zones[0].loop = 960..<3840
    font.presets[0].zones[0].packed = Array(try Data(contentsOf: URL(filePath: ogg)))
    let file = try folder.write("test.sf3", bytes: font.bytes)
    let host = try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(frames: 9600, events: [.midi([0x90, 60, 127], at: 0)])[0]
    let fit = SineFit(output[960..<1920], frequency: 500, sampleRate: 48_000)
    #expect(abs(fit.amplitude - 0.5) < 0.02)
    #expect(output[8000...].contains { abs($0) > 0.3 })
    #expect(report(of: host) == "")
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
      ("phdr", 62, 0, "chunk phdr: there is no preset that sounds"),
      ("pgen", 2, 9, "chunk phdr: there is no preset that sounds; test.sf2: chunk pgen: a zone of"),
      ("igen", 6, 9, "chunk phdr: there is no preset that sounds; test.sf2: chunk igen: a zone of"),
      ("shdr", 45, 0x80, "sounds; test.sf2: sample 0, sample, is in a sound card's ROM"),
      ("RIFF", -8, 0, "chunk RIFF: this is no SoundFont file"),
    ]
    for (chunk, offset, byte, reason) in cases {
      let message = try #require(try changed(chunk, offset, to: byte), "\(chunk)")
      #expect(message.contains("test.sf2: \(reason)") || message.contains(reason), "\(message)")
    }
    for length in [0, 11, 60, whole.count - 200] {
      #expect(try refusal(of: "test.sf2", Array(whole[..<length])) != nil)
    }
  }
}
