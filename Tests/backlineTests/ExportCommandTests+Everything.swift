import BacklineTestSupport
import Foundation
import Testing

/// Every unit and every rack that can be exported, by liblilv, in folders without Backline's files.
extension ExportCommandTests {
  private static let hasLV2Bench = FileManager.default.isExecutableFile(
    atPath: "/usr/bin/lv2bench")

  private func exportEverything() throws -> [String] {
    let racks = folder.url.appending(path: "racks")
    try FileManager.default.copyItem(at: Program.racks, to: racks)
    let files = try FileManager.default.contentsOfDirectory(atPath: racks.path).filter {
      $0.hasSuffix(".yaml") && !$0.hasSuffix(".setlist.yaml")
    }
    let listing = try shell("backline units")
    let found = listing.output.matches(of: /\b[a-z]{4}\/\w{4}\/bkln\b/).map { String($0.output) }
    let units = Set(found).sorted()
    #expect(units.count > 60)
    let words = units + files.map { "racks/\($0)" }
    let result = try shell("backline export-lv2 \(words.joined(separator: " ")) --out all.lv2")
    let refusals = result.errors.split(separator: "\n").filter { !$0.hasPrefix("warning: ") }
    let isMeant = refusals.allSatisfy {
      $0.contains("is an offline effect") || $0.contains("is a rack within a rack")
    }
    #expect(isMeant, "\(refusals)")
    try FileManager.default.removeItem(at: racks)
    try FileManager.default.moveItem(
      atPath: folder.path("all.lv2"), toPath: folder.path("there.lv2"))
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func everyPlugInPlaysWithoutBackline() throws {
    let uris = try exportEverything()
    let renderings = LilvHost.render(folder.path("there.lv2"))
    #expect(Set(renderings.map(\.uri)) == Set(uris))
    for rendering in renderings {
      let outputs = try #require(rendering.outputs, "\(rendering.uri) is not instantiated")
      #expect(outputs.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(rendering.uri)")
    }
    let piano = try ExportedPlugIn(
      "urn:backline:rack:electric-piano", in: folder.path("there.lv2"),
      file: "rack-electric-piano.ttl", hasFeatures: true)
    piano.activate()
    let sound = try piano.run(4800, [.midi([0x90, 60, 100])], at: "keys").sound
    #expect(sound[0].contains { $0.magnitude > 0.01 })
  }

  /// A library that cannot be loaded replaces libsndfile.
  @Test(.enabled(if: hasLV2Bench)) func everyPlugInLoadsWithoutLibsndfile() throws {
    let uris = try exportEverything()
    let result = try shell(
      "mkdir none && : > none/libsndfile.so.1 && LD_LIBRARY_PATH=$PWD/none lv2bench -n 1024")
    let played = result.output.split(separator: "\n").compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
    #expect(Set(played) == Set(uris), "\(result.errors)")
  }

  /// The other units are exported, and the bundle contains nothing of a refused one.
  @Test func whatIsRefusedDoesNotStopTheRest() throws {
    let result = try shell(
      "backline export-lv2 aufx/dely/bkln aufx/none/bkln Normalise aufx/ring/bkln Delay --out out.lv2"
    )
    #expect(result.status == 2)
    for reason in ["aufx/none/bkln", "offline effect", "would be two plug-ins"] {
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
    #expect(result.output.contains("aufx/dely") && result.output.contains("aufx/ring"))
    let renderings = LilvHost.render(folder.path("out.lv2"))
    #expect(
      Set(renderings.map(\.uri)) == Set(result.output.split(separator: "\n").map(String.init)))
  }

  /// Names of units and scenes have spaces; samples are in folders of their own.
  @Test func namesMayHaveSpacesAndSamplesFolders() throws {
    let tone = (0..<48_000).map { 0.5 * Float(sin(Double($0) * 0.05)) }
    try run("mkdir -p kit/Sounds kit/more")
    _ = try SoundFile(sampleRate: 48_000, channels: [tone]).write(
      folder.path("kit/Sounds/tone.wav"))
    _ = try folder.write("kit/tone.sfz", bytes: Array("#include \"more/part.sfz\"\n".utf8))
    let part = "<region> sample=Sounds\\Tone.wav key=60\n"
    _ = try folder.write("kit/more/part.sfz", bytes: Array(part.utf8))
    let rack = """
      rack: words
      inputs: { keys: { midi: true } }
      outputs: { main: { channels: 2 } }
      units:
        my own tone: { unit: aumu/smpl/bkln, properties: { file: kit/tone.sfz } }
        last gain: { unit: aufx/gain/bkln }
      connections: [ keys -> my own tone -> last gain -> main ]
      scenes: { a b: { last gain.gain: -6 dB } }
      """
    _ = try folder.write("words.yaml", bytes: Array(rack.utf8))
    try run("backline export-lv2 words.yaml --out out.lv2 && rm -r kit")
    let words = try plugIn(
      "urn:backline:rack:words", file: "rack-words.ttl", hasFeatures: true)
    words.activate()
    let sound = try words.run(4800, [.midi([0x90, 60, 100])], at: "keys").sound
    #expect(sound[0].contains { $0.magnitude > 0.01 })
  }
}
