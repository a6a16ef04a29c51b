import AudioUnits
import BacklineTestSupport
import CUnit
import CUnits
import Foundation
import Testing

/// The examples of AudioUnits.docc compile and run.
@Suite struct ArticleTests {
  @Test func hostAUnit() async throws {
    let delay = try await AudioUnit.instantiate("Delay")
    let reverbs = ComponentCatalogue.shared.components(tagged: "Reverb")
    let effects = ComponentCatalogue.shared.components(
      matching: ComponentDescription(type: .effect, manufacturer: "bkln"))
    #expect(effects.count > reverbs.count)

    let time = delay.parameterTree.parameter(atKeyPath: "time")
    time?.value = 0.25
    try delay.setCurrentPreset(Preset(number: 0))
    #expect(delay.currentPreset?.number == 0 && delay.currentPreset?.name != "")

    let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
    try delay.inputBusses[0].setFormat(format)
    try delay.outputBusses[0].setFormat(format)
    try delay.allocateRenderResources()
    let input = AudioPCMBuffer([[1], [1]], sampleRate: 48_000)
    let output = AudioPCMBuffer(format: format, frameCapacity: 48_000)
    try delay.render(to: output, from: [input])
    #expect(output[0].dropFirst().contains { abs($0) > 0.01 })

    try await delay.perform { try $0.setCurrentPreset(Preset(number: 1)) }
    #expect(delay.currentPreset?.number == 1)

    let synth = try await AudioUnit.instantiate("Sine Instrument")
    try synth.allocateRenderResources()
    try synth.scheduleMIDI(at: .sampleTime(4_800), bytes: [0x90, 69, 100])
    try synth.scheduleParameter(at: .now, ramp: 480, address: 0, value: 0.2)

    let data = try JSONEncoder().encode(delay.fullState)
    let other = try await AudioUnit.instantiate("Delay")
    try other.restore(JSONDecoder().decode(UnitState.self, from: data))
    #expect(other.fullState == delay.fullState)
  }

  /// A built-in unit's descriptor with other codes stands for a unit of the host.
  @Test func writeAUnit() async throws {
    let builtIn = try #require(bl_built_in_units().pointee.units[0])
    let own = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
    own.initialize(to: builtIn.pointee)
    own.pointee.component.manufacturer = FourCharacterCode("Host").rawValue
    own.pointee.name = UnsafePointer(strdup("Mine"))
    let descriptor = UnsafePointer(own)
    let catalogue = ComponentCatalogue()

    let component = try catalogue.register(descriptor)
    let unit = try AudioUnit(component)
    #expect(unit.name == "Mine" && unit.process == .host)
    #expect(try catalogue.components(for: "Mine").map(\.name) == ["Mine"])
    #expect(catalogue.components(matching: .init(manufacturer: "Host")).count == 1)
    #expect(throws: AudioUnitError.self) { try catalogue.register(descriptor) }
    #expect(throws: AudioUnitError.self) { try AudioUnit(component, process: .own) }
    let broken = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
    broken.initialize(to: builtIn.pointee)
    broken.pointee.component.manufacturer = FourCharacterCode("Fail").rawValue
    broken.pointee.render = nil
    #expect(throws: AudioUnitError.self) { try catalogue.register(broken) }
  }

  /// Each block of Swift in an article is also in a compiled example, except for its indentation.
  @Test func everyExampleIsCompiled() throws {
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    func lines(_ text: some StringProtocol) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .joined(separator: "\n")
    }
    let examples = try [
      "AudioUnitsTests/Examples/ArticleTests", "RackEngineTests/Examples/RackArticleTests",
    ]
    .map { name in
      lines(
        try String(
          contentsOf: repository.appendingPathComponent("Tests/\(name).swift"), encoding: .utf8))
    }
    let articles = repository.appendingPathComponent("Sources/AudioUnits/AudioUnits.docc")
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: articles.path) {
      let text = try String(
        contentsOf: articles.appendingPathComponent(name), encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let example = lines(block.components(separatedBy: "```")[0])
        #expect(examples.contains { $0.contains(example) }, "\(name): \(example)")
        count += 1
      }
    }
    #expect(count >= 7)
  }
}
