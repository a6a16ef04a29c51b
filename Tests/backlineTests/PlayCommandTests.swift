import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// backline play.
  @Suite(.serialized) struct PlayCommand {
    @Test func anEffectPlaysTheDrumLoop() async throws {
      try await Rig.run(
        "play", "distortion", "--preset", "Alien Chatter", "--set", "mix=50 %"
      ) { rig in
        try await rig.program.waitForOutput("ready: Distortion")
        try rig.probe.connect("Distortion:main_1", "capturer:in_1")
        let heard = try await rig.probe.play([Signals.constant(0, frames: 48_000)], frames: 48_000)
        let peak = heard.channels[0].map(\.magnitude).max() ?? 0
        #expect(peak > 0.1 && peak <= 1)
        rig.program.send(SIGINT)
        #expect(rig.program.waitForEnd() == 0)
      }
    }

    @Test func aPresetTravelsToAnother() async throws {
      let folder = try TemporaryFolder()
      let file = try SoundFile.sine(4000, frames: 48_000).write(folder.path("sine.wav"))
      try await Rig.run(
        "play", "Low-Pass Filter", "--preset", "Sub Only", "--morph", "Take the Edge Off",
        "--over", "8", "--file", file
      ) { rig in
        try await rig.program.waitForOutput("ready: Low-Pass Filter")
        try rig.probe.connect("Low-Pass Filter:main_1", "capturer:in_1")
        var levels: [Float] = []
        while levels.last ?? 0 < 0.2 {
          let silence = Signals.constant(0, frames: 4800)
          let heard = try await rig.probe.play([silence], frames: 4800).channels[0]
          levels.append(Float(SineFit(heard[...], frequency: 4000, sampleRate: 48_000).amplitude))
          guard levels.count < 100 else { break }
        }
        // From 90 Hz, 66 dB down, to 6.5 kHz.
        #expect(levels.first ?? 1 < 0.02 && levels.last ?? 0 >= 0.2)
        #expect(levels.contains { $0 > 0.02 && $0 < 0.2 })
      }
    }

    @Test func aFileOfOnesOwnIsLooped() async throws {
      let folder = try TemporaryFolder()
      let file = try SoundFile.sine(1000, frames: 4800).write(folder.path("a \"sine\".wav"))
      try await Rig.run("play", "Gain", "--set", "gain=-6 dB", "--file", file) { rig in
        try await rig.program.waitForOutput("ready: Gain")
        try rig.probe.connect("Gain:main_1", "capturer:in_1")
        let silence = Signals.constant(0, frames: 24_000)
        let heard = try await rig.probe.play([silence], frames: 24_000).channels[0]
        let fit = SineFit(heard[4800...], frequency: 1000, sampleRate: 48_000)
        #expect(abs(fit.amplitude - 0.5 * pow(10, -0.3)) < 1e-3 && fit.residual < 1e-3)
      }
    }

    @Test func thePlayerPlaysAFileOfOnesOwn() async throws {
      let folder = try TemporaryFolder()
      let file = try SoundFile.sine(1000, frames: 4800).write(folder.path("sine.wav"))
      try await Rig.run("play", "Player", "--file", file) { rig in
        try await rig.program.waitForOutput("ready: Player")
        try rig.probe.connect("Player:main_1", "capturer:in_1")
        let silence = Signals.constant(0, frames: 24_000)
        let heard = try await rig.probe.play([silence], frames: 24_000).channels[0]
        let fit = SineFit(heard[4800...], frequency: 1000, sampleRate: 48_000)
        #expect(abs(fit.amplitude - 0.5) < 1e-3 && fit.residual < 1e-3)
      }
    }

    @Test func whatComesInThroughJackIsPlayed() async throws {
      try await Rig.run("play", "Gain", "--input", "--set", "gain=-20 dB") { rig in
        try await rig.program.waitForOutput("connected Gain:in_2 to system:capture_1")
        try rig.probe.connect("injector:out_1", "Gain:in_1")
        try rig.probe.connect("Gain:main_1", "capturer:in_1")
        let ones = Signals.constant(1, frames: 24_000)
        let heard = try await rig.probe.play([ones], frames: 24_000).channels[0]
        #expect(abs((heard.dropLast(4800).last ?? 0) - 0.1) < 1e-4)
      }
    }

    @Test func anInstrumentPlaysMIDI() async throws {
      let server = try JackTestServer(period: 256)
      let probe = try JackProbe(server: server.name, midi: 1)
      let program = try Program(["play", "aumu/sine/bkln", "--server-name", server.name])
      do {
        try await program.waitForOutput("ready: ")
        let client = try #require(probe.ports.first { $0.hasSuffix(":keys") }).dropLast(5)
        try probe.connect("injector:midi_1", "\(client):keys")
        try probe.connect("\(client):main_1", "capturer:in_1")
        let heard = try await probe.play(
          [Signals.constant(0, frames: 24_000)], frames: 24_000,
          messages: [.init([0x90, 69, 100], at: 2400)]
        ).channels[0]
        #expect(!heard[..<2400].contains { $0 != 0 })
        let fit = SineFit(heard[12_000...], frequency: 440, sampleRate: 48_000)
        #expect(fit.amplitude > 0.02 && fit.residual < 0.05 * fit.amplitude)
      } catch {
        Issue.record(error)
      }
      program.send(SIGINT)
      #expect(program.waitForEnd() == 0)
      server.stop()
    }

    @Test func whatDoesNotExistIsSaid() throws {
      let unit = try Program.run("play", "Distorsion")
      #expect(unit.status == 2 && unit.errors.contains("did you mean “Distortion”?"))
      let preset = try Program.run("play", "Delay", "--preset", "Slapbak")
      #expect(preset.status == 2 && preset.errors.contains("Slapback"))
      let parameter = try Program.run("play", "Delay", "--set", "tyme=1 s")
      #expect(parameter.status == 2 && parameter.errors.contains("time"))
      let file = try Program.run("play", "Delay", "--file", "/nowhere/loop.wav")
      #expect(file.status == 2 && file.errors.contains("/nowhere/loop.wav"))
      for (arguments, word) in [
        (["Delay", "--file", "a.wav", "--input"], "not both"),
        (["Sine Instrument", "--file", "a.wav"], "cannot play a file"),
        (["Sine Instrument", "--input"], "has no audio input"),
        (["Player", "--input"], "has no audio input"),
        (["Delay", "--set", "time"], "NAME=VALUE"),
      ] {
        let program = try Program(["play"] + arguments)
        #expect(program.waitForEnd() == 64 && program.errors.contains(word), "\(program.errors)")
        #expect(program.output.isEmpty && !program.errors.contains("<subcommand>"))
      }
      for result in [unit, preset, parameter, file] { #expect(result.output.isEmpty) }
    }
  }
}
