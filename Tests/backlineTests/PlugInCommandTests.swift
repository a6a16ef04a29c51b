import BacklineTestSupport
import Foundation
import Testing

/// LV2 and LADSPA plug-ins on the command line: those of lv2-examples and ladspa-sdk.
struct PlugInCommandTests {
  private static let amplifier = "lv2:http://lv2plug.in/plugins/eg-amp"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program.Result {
    let program = try Program(
      arguments,
      wrapper: [
        "LV2_PATH=/usr/lib/lv2", "LADSPA_PATH=/usr/lib/ladspa",
        "XDG_CACHE_HOME=\(folder.path("cache"))",
      ])
    let status = program.waitForEnd()
    return Program.Result(status: status, output: program.output, errors: program.errors)
  }

  @Test func aPlugInIsShownAndRendersAFile() throws {
    let shown = try run("show", Self.amplifier)
    #expect(shown.output.contains("Simple Amplifier") && shown.output.contains("-90 dB ... 24 dB"))
    let noise = Signals.noise(frames: 9600)
    let file = try SoundFile(sampleRate: 48_000, channels: [noise]).write(folder.path("in.wav"))
    for (unit, setting, gain) in [
      (Self.amplifier, "gain=-6 dB", Float(0.501187)), ("ladspa:amp/amp_mono", "gain=0.5", 0.5),
    ] {
      let place = folder.path("out.wav")
      let result = try run("render", "--unit", unit, "--set", setting, file, place)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      let heard = try SoundFile(reading: place).channels[0]
      #expect(heard.count >= 9600 && zip(heard, noise).allSatisfy { abs($0 - gain * $1) < 1e-5 })
    }
  }

  /// The plug-in's tail is unknown: a file ends where the output does.
  @Test func aTailIsRenderedToItsEnd() throws {
    let noise = Signals.noise(frames: 4800)
    let file = try SoundFile(sampleRate: 48_000, channels: [noise]).write(folder.path("in.wav"))
    let place = folder.path("out.wav")
    let result = try run(
      "render", "--unit", "ladspa:delay/delay_5s", "--set", "delay_seconds=3 s", "--set",
      "dry_wet_balance=1", file, place)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let heard = try SoundFile(reading: place).channels[0]
    #expect((148_800..<149_500).contains(heard.count), "\(heard.count)")
    #expect(heard.prefix(144_000).allSatisfy { $0 == 0 })
    #expect(zip(heard.dropFirst(144_000), noise).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func aWrongNameHasTheNearest() throws {
    let result = try run("show", "\(Self.amplifier)q")
    #expect(result.status == 2)
    #expect(result.errors.contains("did you mean “\(Self.amplifier)”?"), "\(result.errors)")
    let label = try run("render", "--unit", "ladspa:amp/amp_mon", "in.wav", "out.wav")
    #expect(label.errors.contains("ladspa:amp/amp_mono"), "\(label.errors)")
  }

  /// A name means the same unit with and without plug-ins.
  @Test func namesOfBuiltInUnitsAreTheirs() throws {
    let rack = try folder.write(
      "delay.yaml",
      bytes: Array(
        """
        rack: Delay
        inputs: { in: { channels: 1 } }
        outputs: { main: { channels: 1 } }
        units:
          echo: { unit: Delay }
          amp: { unit: "\(Self.amplifier)", process: host }
        connections: [ in -> echo -> amp -> main ]
        """.utf8))
    let result = try run("check", rack)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Once a validation has found that blocks of any size do no harm, parameters change at their frames.
  @Test func validationLetsParametersChangeAtTheirFrames() throws {
    let rack = try folder.write(
      "steps.yaml",
      bytes: Array(
        """
        rack: Steps
        inputs: { in: { channels: 1 } }
        outputs: { main: { channels: 1 } }
        units: { amp: { unit: "ladspa:amp/amp_mono" } }
        connections: [ in -> amp -> main ]
        automation: { amp.gain: { points: [1 @ 0 s, 0.25 @ 12.5 ms], curve: hold } }
        """.utf8))
    let ones = Signals.constant(0.5, frames: 2048)
    let file = try SoundFile(sampleRate: 48_000, channels: [ones]).write(folder.path("in.wav"))
    func change() throws -> Int? {
      let place = folder.path("out.wav")
      let result = try run(
        "render", rack, "--in", "in=\(file)", "--out", "main=\(place)", "--block", "256")
      #expect(result.status == 0, "\(result.errors)")
      return try SoundFile(reading: place).channels[0].firstIndex { $0 < 0.4999 }
    }
    #expect(try change() == 512)
    let result = try run("validate", "ladspa:amp/amp_mono")
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("1 to 4096 frames, bit for bit"), "\(result.output)")
    #expect(try change() == 600)
  }
}
