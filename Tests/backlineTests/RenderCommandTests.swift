import BacklineTestSupport
import Foundation
import Testing

/// backline render.
struct RenderCommandTests {
  private let folder: TemporaryFolder
  private let voice: String

  init() throws {
    folder = try TemporaryFolder()
    voice = try SoundFile(sampleRate: 48_000, channels: [Speech.synthesise(frames: 24_000)])
      .write(folder.path("voice.wav"))
  }

  @Test(arguments: ["wav", "flac", "aiff", "ogg", "mp3", "w64", "caf", "au", "opus"])
  func everySuffixIsAFormat(suffix: String) throws {
    let place = folder.path("out.\(suffix)")
    let result = try Program.run(
      "render", "dalek-voice", "--in", "mic=\(voice)", "--out", "main=\(place)")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.contains(place) && result.output.contains("times real time"))
    let samples = [
      "flac": "24 bits", "ogg": "compressed", "mp3": "compressed", "opus": "compressed",
    ]
    #expect(result.output.contains(", \(samples[suffix] ?? "32-bit float"), "))
    let file = try SoundFile(reading: place)
    #expect(file.channels.count == 2 && file.channels[0].count >= 24_000)
    #expect(file.channels[0].contains { $0.magnitude > 0.1 })
  }

  /// Disks of older systems have names in Latin-1, which is not UTF-8.
  @Test func namesNeedNotBeUTF8() throws {
    func path(_ name: String) -> [CChar] {
      "\(folder.url.path)/".utf8.map(CChar.init(bitPattern:))
        + name.unicodeScalars.map {
          CChar(truncatingIfNeeded: $0.value)
        } + [0]
    }
    #expect(rename(voice, path("caf\u{E9}.wav")) == 0)
    let script = """
      exec "$0" render --unit Gain "$(printf '\(folder.url.path)/caf\\351.wav')" \
        "$(printf '\(folder.url.path)/out\\351.wav')"
      """
    for _ in 0..<2 {
      let program = try Program([], wrapper: ["sh", "-c", script])
      #expect(program.waitForEnd() == 0, "\(program.errors)")
      #expect(access(path("out\u{E9}.wav"), F_OK) == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(names.count == 2, "\(names)")
    }
  }

  @Test func theBlockDoesNotMatterAndTheRateDoes() throws {
    for block in ["64", "1000"] {
      let result = try Program.run(
        "render", "dalek-voice", "--in", "mic=\(voice)", "--out",
        "main=\(folder.path("\(block).wav"))", "--block", block, "--bits", "float", "--rate",
        "44100")
      #expect(result.status == 0)
    }
    let files = try ["64", "1000"].map { try SoundFile(reading: folder.path("\($0).wav")) }
    #expect(files[0].sampleRate == 44_100)
    #expect(firstDifference(files[0].channels, files[1].channels) == nil)
  }

  @Test(arguments: [("44.1 kHz", 44_100), ("48k", 48_000), ("22050", 22_050)])
  func ratesAndLengthsAreWrittenAsPeopleDo(rate: String, hertz: Int) throws {
    for length in ["0.5", "500 ms", "0:00.5"] {
      let place = folder.path("out.wav")
      let result = try Program.run(
        "render", "dalek-voice", "--in", "mic=\(voice)", "--out", "main=\(place)", "--rate", rate,
        "--length", length)
      #expect(result.status == 0, "\(result.errors)")
      let file = try SoundFile(reading: place)
      #expect(Int(file.sampleRate) == hertz && file.channels[0].count == hertz / 2)
    }
  }

  @Test(arguments: [
    (["--rate", "48 ms"], "“48 ms” is a time"), (["--rate", "44.1005 Hz"], "whole number"),
    (["--length", "0"], "above 0"), (["--length", "1:75"], "--length"),
    (["--length", "10 secs"], "is not a unit"),
  ])
  func optionsThatAreNoValueSayWhatIs(options: [String], words: String) throws {
    let program = try Program(
      ["render", "dalek-voice", "--out", "main=\(folder.path("no.wav"))"] + options)
    #expect(program.waitForEnd() == 64)
    #expect(program.errors.contains(words), "\(program.errors)")
  }

  @Test func aFormatThatDoesNotTakeTheRateSaysWhichItTakes() throws {
    for (suffix, rates) in [("opus", "16000, 24000, 48000 Hz"), ("mp3", "44100, 48000 Hz")] {
      let place = folder.path("out.\(suffix)")
      let result = try Program.run(
        "render", "dalek-voice", "--in", "mic=\(voice)", "--out", "main=\(place)", "--rate",
        "88200")
      #expect(result.status == 1 && result.errors.contains(place))
      #expect(result.errors.contains("88200 Hz") && result.errors.contains(rates))
      #expect(!FileManager.default.fileExists(atPath: place))
    }
  }

  @Test func automationMovesAParameter() throws {
    let rack = try folder.write(
      "gain.yaml",
      bytes: Array(
        """
        rack: Gain
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> out ]
        """.utf8))
    let ones = try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 4800)])
      .write(folder.path("ones.wav"))
    let place = folder.path("out.wav")
    let result = try Program.run(
      "render", rack, "--in", "in=\(ones)", "--out", "out=\(place)", "--bits", "float",
      "--automate", "level.gain=0 dB@0s, -20 dB@50ms")
    #expect(result.status == 0, "\(result.errors)")
    let output = try SoundFile(reading: place).channels[0]
    for (frame, decibels) in [(0, 0.0), (1200, -10), (2400, -20), (4000, -20)] {
      #expect(abs(output[frame] - 0.5 * Float(pow(10, decibels / 20))) < 1e-5)
    }
    let bypass = try Program.run(
      "render", rack, "--in", "in=\(ones)", "--out", "out=\(place)", "--bits", "float",
      "--automate", "level.bypass=on@50ms", "--automate", "level.gain=-20 dB@0s")
    #expect(bypass.status == 0, "\(bypass.errors)")
    let switched = try SoundFile(reading: place).channels[0]
    #expect(abs(switched[2399] - 0.05) < 1e-5 && abs(switched[3600] - 0.5) < 1e-5)
    for wrong in [
      "level.gian=0 dB@0s", "levl.gain=0 dB@0s", "level.gain=0 Hz@0s", "level.gain=0 dB",
      "level.gain=0 dB@1e300s", "nonsense",
    ] {
      let result = try Program.run(
        "render", rack, "--in", "in=\(ones)", "--out", "out=\(place)", "--automate", wrong)
      #expect([1, 64].contains(result.status) && !result.errors.isEmpty, "\(wrong)")
    }
  }

  @Test func aMIDIFileIsPlayed() throws {
    // One track, 480 ticks a quarter at 120 a minute: A4 from 0 to 0.5 s.
    let track: [UInt8] = [
      0, 0x90, 69, 100, 0x83, 0x60, 0x80, 69, 0, 0, 0xFF, 0x2F, 0,
    ]
    let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
    let song = try folder.write(
      "song.mid",
      bytes: header + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track)
    let place = folder.path("song.wav")
    let result = try Program.run(
      "render", "small-synth", "--midi", "keys=\(song)", "--out", "main=\(place)", "--bits",
      "float")
    #expect(result.status == 0, "\(result.errors)")
    let output = try SoundFile(reading: place).channels[0]
    #expect(Spectrum.amplitude(Array(output[4800..<9600]), at: 440) > 0.02)
    #expect(Spectrum.amplitude(Array(output[4800..<9600]), at: 500) < 0.01)
  }

  /// The output is still written; a rack can turn its ceiling off.
  @Test func anOutputAboveItsCeilingIsFadedOutAndNamed() throws {
    let level = "units: { level: { unit: aufx/gain/bkln, parameters: { gain: 20 dB } } }"
    let tone = try SoundFile(
      sampleRate: 48_000,
      channels: [Signals.sine(frequency: 440, amplitude: 1, frames: 24_000)]
    ).write(folder.path("tone.wav"))
    func render(_ ceiling: String) throws -> (Program.Result, [Float]) {
      let rack = try folder.write(
        "loud.yaml",
        bytes: Array(
          """
          rack: Loud
          inputs: { in: }
          outputs: { main: { channels: 1\(ceiling) } }
          \(level)
          connections: [ in -> level -> main ]
          """.utf8))
      let place = folder.path("loud.wav")
      let result = try Program.run("render", rack, "--in", "in=\(tone)", "--out", "main=\(place)")
      return (result, try SoundFile(reading: place).channels[0])
    }
    let (faded, sound) = try render("")
    #expect(faded.status == 4)
    #expect(
      faded.errors.hasPrefix(
        "warning: output main was above its ceiling and was faded out for a second: "
          + "level put out 20.0 dBFS and was reset;"), "\(faded.errors)")
    #expect(sound.max().map { $0 > 9.9 } == true)
    #expect(sound[800...].allSatisfy { $0 == 0 })
    let (meant, whole) = try render(", ceiling: off")
    #expect(meant.status == 0 && meant.errors.isEmpty)
    #expect(whole[800...].contains { $0 > 9.9 })
  }

  @Test func whatIsWrongIsSaidOnStandardErrorAndNothingIsWritten() throws {
    let place = folder.path("out.wav")
    let empty = try folder.write("empty.wav", bytes: [])
    for (arguments, words) in [
      (["--in", "mick=\(voice)", "--out", "main=\(place)"], ["mick", "it has mic"]),
      (["--in", "mic=\(voice)", "--out", "mian=\(place)"], ["mian", "it has main"]),
      (["--in", "mic=\(empty)", "--out", "main=\(place)"], ["empty.wav", "empty"]),
      (["--in", "mic=\(voice)", "--out", "main=\(folder.path("no/x.wav"))"], ["no/x.wav"]),
      (["--midi", "keys=\(voice)", "--out", "main=\(place)"], ["keys"]),
    ] {
      let program = try Program(["render", "dalek-voice"] + arguments)
      #expect(program.waitForEnd() == 1)
      #expect(program.output.isEmpty)
      for word in words { #expect(program.errors.contains(word), "\(program.errors)") }
    }
    let missing = try Program.run(
      "render", "small-synth", "--midi", "keys=/nowhere.mid", "--out", "main=\(place)")
    #expect(missing.status == 1)
    #expect(missing.errors == "error: /nowhere.mid: cannot be read: No such file or directory\n")
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test func aFileThatIsReadIsWrittenOverOnlyWithForce() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: voice))
    let arguments = ["render", "dalek-voice", "--in", "mic=\(voice)", "--out", "main=\(voice)"]
    let refused = try Program(arguments)
    #expect(refused.waitForEnd() == 1)
    #expect(
      refused.errors == "error: \(voice): output main would take the place of what input mic reads;"
        + " write to another file, or give --force\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: voice)) == before)
    let forced = try Program(arguments + ["--force"])
    #expect(forced.waitForEnd() == 0, "\(forced.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: voice)) != before)
  }

  @Test func whatGetsNoFileOrTheWrongKindIsSaid() throws {
    let silent = try Program.run(
      "render", "tape-echo", "--out", "main=\(folder.path("out.wav"))", "--length", "100ms")
    #expect(silent.status == 0 && silent.errors.contains("--in in=FILE"), "\(silent.errors)")
    #expect(silent.output.contains("32-bit float"), "\(silent.output)")
    let mute = try Program.run(
      "render", "small-synth", "--out", "main=\(folder.path("mute.wav"))", "--length", "100ms")
    #expect(mute.errors.contains("had no file and was without notes: --in keys=FILE"))
    let keys = try Program.run(
      "render", "small-synth", "--in", "keys=\(voice)", "--out", "main=\(folder.path("a.wav"))")
    #expect(keys.status == 1 && keys.errors.contains("is a MIDI input"), "\(keys.errors)")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
  func aFullDiskIsSaid() throws {
    let disk = try SmallDisk(bytes: 32_768)
    let place = disk.folder.path("out.wav")
    let result = try Program.run(
      "render", "dalek-voice", "--in", "mic=\(voice)", "--out", "main=\(place)")
    #expect(result.status == 1 && result.errors.contains("No space left"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.url.path) == [])
  }

  @Test func anInterruptedRenderingLeavesNothing() async throws {
    let results = try TemporaryFolder()
    let program = try Program([
      "render", "drum-crusher", "--length", "20000s", "--out", "main=\(results.path("out.wav"))",
    ])
    try await eventually("it renders") {
      try !FileManager.default.contentsOfDirectory(atPath: results.url.path).isEmpty
    }
    program.send(SIGINT)
    #expect(program.waitForEnd() == 1)
    #expect(program.errors.contains("interrupted"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: results.url.path) == [])
  }

  /// A libsamplerate that fails must neither stop the rendering nor go unreported.
  @Test(.timeLimit(.minutes(10))) func aFileThatCannotBeResampledIsNamed() throws {
    let source = try folder.write(
      "broken.c",
      bytes: Array(
        """
        static int state;
        void *src_new(int q, int c, int *error) { *error = q + c < 0; return &state; }
        void *src_delete(void *s) { return s == &state ? 0 : s; }
        int src_process(void *s, void *d) { return s == d || 1; }
        int src_reset(void *s) { return s != &state; }
        int src_is_valid_ratio(double ratio) { return ratio > 0; }
        const char *src_strerror(int error) { return error ? "broken" : 0; }

        """.utf8))
    let library = folder.path("libsamplerate.so.0")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", source, "-o", library]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    let program = try Program(
      ["render", "drum-crusher", "--rate", "44100", "--out", "main=\(folder.path("out.wav"))"],
      wrapper: ["LD_LIBRARY_PATH=\(folder.url.path)"])
    _ = program.waitForEnd()
    #expect(program.errors.contains("drums"), "\(program.errors)")
  }
}
