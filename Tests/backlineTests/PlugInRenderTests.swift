import BacklineTestSupport
import Foundation
import Testing

/// Connections and permissions of the plug-ins of Tests/Fixtures in a rendered rack.
struct PlugInRenderTests {
  private func run(
    _ arguments: String..., in folder: TemporaryFolder, path: String = "lv2"
  ) throws -> Program.Result {
    let program = try Program(
      arguments,
      wrapper: [
        "LV2_PATH=\(folder.path(path))", "LADSPA_PATH=/nonexistent",
        "XDG_CACHE_HOME=\(folder.path("cache"))",
      ])
    let status = program.waitForEnd()
    return Program.Result(status: status, output: program.output, errors: program.errors)
  }

  /// Renders a rack of one mono output, for 0.2 s.
  private func render(
    _ units: String, _ connections: String, in folder: TemporaryFolder, path: String = "lv2"
  ) throws -> (result: Program.Result, sound: [Float]) {
    let rack = """
      rack: one
      inputs: { in: { channels: 1 } }
      outputs: { main: { channels: 1 } }
      units: { \(units) }
      connections: [ \(connections) ]
      """
    let file = try folder.write("one.yaml", bytes: Array(rack.utf8))
    let half = try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 9600)])
      .write(folder.path("half.wav"))
    let place = folder.path("out.wav")
    let result = try run(
      "render", file, "--in", "in=\(half)", "--out", "main=\(place)", "--length", "0.2s",
      in: folder, path: path)
    let isThere = FileManager.default.fileExists(atPath: place)
    return (result, isThere ? try SoundFile(reading: place).channels[0] : [])
  }

  /// The plug-in's control input has the default 0.25 while nothing is connected.
  @Test(arguments: ["own", "host"])
  func aVoltageOfAnyHeightIsHeard(process: String) throws {
    let folder = try PlugInFixtures.folder(with: "voltage")
    let units = """
      v: { unit: "lv2:urn:test:voltage", process: \(process), parameters: { level: 2000 } },
      soft: { unit: Gain, parameters: { gain: -60 dB } }
      """
    for (source, value) in [("v", Float(2000.25)), ("in -> v", 2000.5)] {
      let (result, sound) = try render(units, "\(source) -> soft -> main", in: folder)
      #expect(!result.errors.contains("NaN"), "\(result.errors)")
      #expect(sound.count == 9600, "\(result.errors)")
      #expect(sound.allSatisfy { abs($0 - 0.001 * value) < 1e-5 }, "\(sound.prefix(3))")
    }
  }

  @Test func aPortOfAnUnknownKindIsRefused() throws {
    let folder = try PlugInFixtures.folder(with: "voltage")
    let result = try run("show", "lv2:urn:test:strange", in: folder)
    #expect(result.status != 0 && result.errors.contains("its port “knob”"), "\(result.errors)")
  }

  /// The plug-in's manifest names a file by “../..”.
  @Test(arguments: ["lv2/", "lv2/../lv2", "lv2/echo.lv2/..", ".//lv2//"])
  func aFolderMayHaveAnyPath(path: String) throws {
    let folder = try PlugInFixtures.folder(with: "voltage")
    let (result, sound) = try render(
      "v: { unit: \"lv2:urn:test:voltage\", parameters: { level: 1 } }", "v -> main", in: folder,
      path: path)
    #expect(sound.first == 1.25, "\(result.errors)")
  }

  /// The preset has no file of its own: the plug-in's description contains it.
  @Test func aPresetMayBeInThePlugInsDescription() throws {
    let folder = try PlugInFixtures.folder(with: "kit")
    let (result, sound) = try render(
      "kit: { unit: \"lv2:urn:test:kit\", preset: Half }", "kit -> main", in: folder)
    #expect(sound.count == 9600 && sound.allSatisfy { $0 == 0.5 }, "\(result.errors)")
  }

  /// A thread of the plug-in reads the file after a while, before the first output.
  @Test func aRackGrantsFilesThatAStateNamesInside() throws {
    let folder = try PlugInFixtures.folder(with: "kit")
    try FileManager.default.createDirectory(
      atPath: folder.path("kits"), withIntermediateDirectories: true)
    let kit = try folder.write("kits/k\u{fc}bel.txt", bytes: Array("0.75".utf8))
    let state = """
      <urn:backline:state> a <http://lv2plug.in/ns/ext/presets#Preset> ;
      <http://lv2plug.in/ns/lv2core#appliesTo> <urn:test:kit> ;
      <http://lv2plug.in/ns/ext/state#state> [ <urn:test:kit:config> 'file=\(kit)' ] .
      """.replacing("\n", with: " ")
    func unit(_ more: String) -> String {
      "kit: { unit: \"lv2:urn:test:kit\", properties: { state: \"\(state)\" } \(more) }"
    }
    let refused = try render(unit(""), "kit -> main", in: folder)
    #expect(refused.result.status == 5, "\(refused.result.errors)")
    #expect(refused.result.errors.contains("unit kit was refused openat \(kit): "))
    #expect(refused.result.errors.contains("“files” in the rack"))
    #expect(refused.sound.allSatisfy { $0 == 0 })
    for files in ["kits", "kits/k\u{fc}bel.txt", folder.path("kits")] {
      let granted = try render(unit(", files: [ \(files) ]"), "kit -> main", in: folder)
      #expect(granted.result.status == 0, "\(granted.result.errors)")
      #expect(granted.sound.count == 9600 && granted.sound.allSatisfy { $0 == 0.75 })
    }
    let wrong = try render(unit(", files: [ kit ]"), "kit -> main", in: folder)
    #expect(wrong.result.errors.contains("there is no “\(folder.path("kit"))”"))
  }

  @Test func aUnitThatHangsEndsTheRendering() throws {
    let folder = try TemporaryFolder()
    let bundle = try TestBundle(
      "Stuck", in: folder.url.path,
      manifest: { $0.replacing("in_process: true", with: "") },
      code: {
        "#include <unistd.h>\nstatic int blocks;\n"
          + $0.replacing(
            "bl_segment segment =", with: "if (++blocks == 4) pause();\n bl_segment segment =")
      })
    let noise = try SoundFile(sampleRate: 48_000, channels: [Signals.noise(frames: 9600)]).write(
      folder.path("in.wav"))
    let result = try run(
      "render", "--unit", bundle.path, noise, folder.path("out.wav"), "--time-limit", "0.2",
      in: folder)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("its process did not answer for 0.2 s"), "\(result.errors)")
  }
}
