import BacklineTestSupport
import Foundation
import Testing

/// backline render --unit: one unit without a rack file.
struct RenderUnitTests {
  private let folder: TemporaryFolder
  private let voice: String

  init() throws {
    folder = try TemporaryFolder()
    voice = try SoundFile(sampleRate: 48_000, channels: [Speech.synthesise(frames: 24_000)])
      .write(folder.path("voice.wav"))
  }

  @Test func soundsLikeTheUnitInARackFile() throws {
    let rack = try folder.write(
      "delay.yaml",
      bytes: Array(
        """
        rack: Delay
        inputs: { in: { channels: 2 } }
        outputs: { main: { channels: 2 } }
        units: { unit: { unit: Delay, preset: Slapback, parameters: { mix: 60 % } } }
        connections: [ in -> unit -> main ]
        """.utf8))
    let (alone, inRack) = (folder.path("alone.wav"), folder.path("rack.wav"))
    let results = [
      try Program.run(
        "render", "--unit", "delay", "--preset", "Slapback", "--set", "mix=60 %", voice, alone),
      try Program.run("render", rack, "--in", "in=\(voice)", "--out", "main=\(inRack)"),
    ]
    for result in results {
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
    let files = try [alone, inRack].map { try SoundFile(reading: $0).channels }
    #expect(firstDifference(files[0], files[1]) == nil)
    #expect(files[0][0].count > 24_000 && files[0][0].contains { $0.magnitude > 0.1 })
  }

  @Test func instrumentsReadMIDIAndPlayersTheirFile() throws {
    let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
    let track: [UInt8] = [0, 0x90, 69, 127, 0x83, 0x60, 0x80, 69, 0, 0, 0xFF, 0x2F, 0]
    let song = try folder.write(
      "song.mid", bytes: header + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track)
    for (unit, file) in [("Sine Instrument", song), ("Transposer", song), ("Player", voice)] {
      let place = folder.path("out.wav")
      let result = try Program.run("render", "--unit", unit, file, place, "--length", "0.4")
      #expect(result.status == 0 && result.errors.isEmpty, "\(unit): \(result.errors)")
      let sound = try SoundFile(reading: place).channels[0]
      #expect(sound.contains { $0.magnitude > 0.1 }, "\(unit)")
    }
  }

  @Test func aMissingFileNamesItsNeighbour() throws {
    for (unit, name) in [("Delay", "vioce.wav"), ("Sine Instrument", "sonng.mid")] {
      _ = try folder.write("song.mid", bytes: [])
      let program = try Program(["render", "--unit", unit, folder.path(name), folder.path("o.wav")])
      #expect(program.waitForEnd() == 1)
      let meant = folder.path(unit == "Delay" ? "voice.wav" : "song.mid")
      #expect(program.errors.contains("did you mean “\(meant)”?"), "\(program.errors)")
    }
  }

  @Test(arguments: [
    (["--unit", "Dela", "in.wav", "out.wav"], "did you mean “Delay”?", Int32(2)),
    (["--unit", "Delay", "--preset", "Slapbak", "in.wav", "out.wav"], "Slapback", 2),
    (["--unit", "Reverb", "--preset", "plate", "in.wav", "out.wav"], "mean “Vocal Plate”?", 2),
    (["--unit", "voice", "in.wav", "out.wav"], "backline units --tag voice", 2),
    (["Delay", "in.wav", "out.wav"], "backline render --unit aufx/dely/bkln IN OUT", 64),
    (["lead-guitar", "in.wav", "out.wav"], "lead-guitar --in guitar=FILE --out main=FILE", 64),
    (["--unit", "Delay", "--set", "mxi=1", "in.wav", "out.wav"], "did you mean “mix”?", 2),
    (["--unit", "Delay", "out.wav"], "write IN OUT", 64),
    (["--unit", "Delay", "in.wav", "--out", "main=out.wav"], "there are no ports", 64),
    (["dalek-voice", "--preset", "Dub", "--out", "main=out.wav"], "for --unit", 64),
    ([], "name one rack", 64),
  ])
  func mistakesSayWhatToWrite(words: [String], message: String, code: Int32) throws {
    let program = try Program(["render"] + words)
    #expect(program.waitForEnd() == code)
    #expect(program.errors.contains(message), "\(program.errors)")
  }
}
