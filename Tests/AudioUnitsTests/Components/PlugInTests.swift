import AudioUnits
import BacklineTestSupport
import Foundation
import Testing
import UnitModel

/// LV2 and LADSPA plug-ins are components: those of lv2-examples and ladspa-sdk, and faulty ones.
struct PlugInTests {
  static let installed = PlugInFolders(lv2: ["/usr/lib/lv2"], ladspa: ["/usr/lib/ladspa"])
  private static let amplifier = "lv2:http://lv2plug.in/plugins/eg-amp"
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func catalogue(_ folders: PlugInFolders = installed) -> ComponentCatalogue {
    ComponentCatalogue(
      folders: UnitFolders([], plugIns: folders), cacheFolder: folder.path("cache"))
  }

  /// Renders a mono signal in cycles of 256 frames.
  private func render(_ unit: AudioUnit, _ input: [Float]) throws -> [Float] {
    var heard: [Float] = []
    for first in stride(from: 0, to: input.count, by: 256) {
      let output = AudioPCMBuffer(
        format: AudioFormat(sampleRate: 48_000, channelCount: 1), frameCapacity: 256)
      let part = AudioPCMBuffer([Array(input[first..<first + 256])], sampleRate: 48_000)
      try unit.render(to: output, from: [part], at: Int64(first))
      heard += output[0]
    }
    return heard
  }

  private func unit(
    _ name: String, process: ProcessChoice? = nil, set: [String: Float] = [:]
  ) throws -> AudioUnit {
    let component = try #require(try catalogue().components(for: UnitReference(name)).first)
    let unit = try AudioUnit(component, process: process)
    unit.isRenderingOffline = true
    for (keyPath, value) in set {
      try unit.setParameter(#require(unit.facts.parameter(atKeyPath: keyPath)).address, to: value)
    }
    for bus in Array(unit.inputBusses) + Array(unit.outputBusses) {
      try bus.setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
    }
    try unit.allocateRenderResources()
    return unit
  }

  @Test func anLV2AmplifierAmplifiesInAProcessOfItsOwn() throws {
    let amplifier = try unit(Self.amplifier, set: ["gain": -6])
    #expect(amplifier.process == .own)
    let noise = Signals.noise(frames: 4096)
    let heard = try render(amplifier, noise)
    let gain = pow(10, Float(-6) / 20)
    #expect(zip(heard, noise).allSatisfy { abs($0 - gain * $1) < 1e-6 })
    let info = try #require(amplifier.facts.parameter(atKeyPath: "gain")).info
    #expect((info.minimum, info.maximum, info.defaultValue) == (-90, 24, 0))
    #expect(info.unit == .decibels)
  }

  @Test(arguments: [ProcessChoice.own, .host])
  func aLADSPAAmplifierDoesToo(process: ProcessChoice) throws {
    let amplifier = try unit("ladspa:amp/amp_mono", process: process, set: ["gain": 0.25])
    #expect(amplifier.process == process)
    let noise = Signals.noise(frames: 4096)
    #expect(zip(try render(amplifier, noise), noise).allSatisfy { abs($0 - 0.25 * $1) < 1e-6 })
    // The plug-in's gain has no upper bound; its unit's has.
    #expect(amplifier.facts.parameter(atKeyPath: "gain")?.info.maximum == 1_000_000)
  }

  @Test func inThisProcessItSoundsTheSame() throws {
    let noise = Signals.noise(frames: 4096)
    let heard = try [ProcessChoice.own, .host].map { process in
      try render(unit(Self.amplifier, process: process, set: ["gain": -3]), noise)
    }
    #expect(heard[0] == heard[1])
  }

  @Test func theyAreListedFoundByNameAndRemembered() throws {
    let first = catalogue()
    let all = first.components { $0.component.plugIn != nil }.map { "\($0.component)" }
    #expect(all.contains(Self.amplifier) && all.contains("ladspa:delay/delay_5s"))
    let named = try first.components(for: UnitReference("Simple Amplifier"))
    #expect(named.map { "\($0.component)" } == [Self.amplifier])
    #expect(named.first?.defaultProcess == .own)
    // Another program reads the first one's cache.
    let again = ComponentCatalogue(
      folders: UnitFolders([], plugIns: Self.installed), cacheFolder: folder.path("cache"),
      program: "/nonexistent")
    #expect(again.knownFacts.contains { "\($0.component)" == Self.amplifier })
    let wrong = try first.components(for: UnitReference("\(Self.amplifier)lifier"))
    #expect(wrong.isEmpty)
  }

  /// Creates a bundle of one plug-in with an audio input and an audio output.
  private func bundle(
    _ name: String, index: String = "0", code: String? = nil, manifest: String? = nil
  ) throws {
    let prefixes =
      "@prefix lv2: <http://lv2plug.in/ns/lv2core#> . @prefix doap: <http://usefulinc.com/ns/doap#> . "
      + "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    let path = "lv2/\(name).lv2"
    try FileManager.default.createDirectory(
      atPath: folder.path(path), withIntermediateDirectories: true)
    let about =
      "<urn:test:\(name)> a lv2:Plugin ; lv2:binary <code.so> ; rdfs:seeAlso <plugin.ttl> ."
    _ = try folder.write(
      "\(path)/manifest.ttl", bytes: Array((manifest ?? prefixes + about).utf8))
    func port(_ index: String, _ kind: String) -> String {
      "[ a lv2:AudioPort, lv2:\(kind)Port ; lv2:index \(index) ; lv2:symbol \"\(kind)\" ; "
        + "lv2:name \"\(kind)\" ]"
    }
    let ports = "lv2:port \(port(index, "Input")), \(port("1", "Output"))"
    _ = try folder.write(
      "\(path)/plugin.ttl",
      bytes: Array("\(prefixes)<urn:test:\(name)> doap:name \"\(name)\" ; \(ports) .".utf8))
    guard let code else { return }
    try compile(folder.write("\(name).c", bytes: Array(code.utf8)), to: "\(path)/code.so")
  }

  func compile(_ source: String, to library: String) throws {
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/cc")
    compiler.arguments = ["-shared", "-fPIC", "-o", folder.path(library), source]
    try compiler.run()
    compiler.waitUntilExit()
  }

  @Test func faultyBundlesAreRefusedAndTheOthersThere() throws {
    let none = "const void *lv2_descriptor(unsigned index) { return 0; }"
    try bundle("missing")
    try bundle("empty", code: "int nothing;")
    try bundle("null", code: none)
    try bundle("huge", index: "4000000000", code: none)
    try bundle("broken", manifest: "this is < not Turtle")
    try bundle("torn", code: none)
    _ = try folder.write("lv2/torn.lv2/plugin.ttl", bytes: Array("\n<urn:test:torn> [\n".utf8))
    try bundle("other", code: Self.code(uri: "urn:test:another", run: ""))
    try bundle("crashes", code: Self.code(uri: "urn:test:crashes", run: "abort();"))
    try bundle(
      "stuck",
      code:
        "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { for (;;) sleep(1); }"
        + none)
    let catalogue = catalogue(
      PlugInFolders(lv2: [folder.path("lv2"), "/usr/lib/lv2"], ladspa: []))
    let refused = catalogue.refusedBundles.flatMap(\.problems)
    let names = catalogue.refusedBundles.compactMap(\.component?.plugIn)
    #expect(names.sorted() == ["lv2:urn:test:huge", "lv2:urn:test:torn"])
    #expect(refused.contains { $0.contains("/lv2/torn.lv2/plugin.ttl:2:") })
    #expect(refused.contains { $0.contains("/lv2/broken.lv2/manifest.ttl:1:") })
    func find(_ name: String) throws -> Component {
      try #require(try catalogue.components(for: UnitReference("lv2:urn:test:\(name)")).first)
    }
    for name in ["missing", "empty", "null", "stuck", "other"] {
      let component = try find(name)
      let error = #expect(throws: AudioUnitError.self) {
        try AudioUnit(component).allocateRenderResources()
      }
      #expect(error.map { "\($0)".split(separator: "\n").count } == 1, "\(name)")
    }
    // A plug-in runs in its own process first, so that a crash does not end this one.
    let trial = #expect(throws: AudioUnitError.self) {
      try AudioUnit(find("crashes"), process: .host)
    }
    #expect(trial?.reason.hasSuffix("it crashes: Aborted") == true)
    #expect(try catalogue.components(for: UnitReference(Self.amplifier)).count == 1)
  }

  /// Returns the source of a library with one plug-in, whose run function is `run`.
  private static func code(uri: String, run: String) -> String {
    """
    #include <lv2/core/lv2.h>
    #include <stdlib.h>
    static LV2_Handle make(const LV2_Descriptor *descriptor, double rate, const char *path,
                           const LV2_Feature *const *features) { return malloc(1); }
    static void connect(LV2_Handle handle, uint32_t port, void *data) {}
    static void run(LV2_Handle handle, uint32_t frames) { \(run) }
    static const LV2_Descriptor descriptor = {"\(uri)", make, connect, 0, run, 0, free, 0};
    const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : 0; }
    """
  }
}
