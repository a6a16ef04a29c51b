import AudioUnits
import BacklineTestSupport
import CKernel
import Foundation
import Testing
import UnitModel

/// LV2 plug-ins whose parameters, texts and paths are messages and not ports: eg-params and
/// eg-sampler of lv2-examples.
extension PlugInTests {
  private static let parameters = "lv2:http://lv2plug.in/plugins/eg-params"
  private static let sampler = "lv2:http://lv2plug.in/plugins/eg-sampler"
  private func rig(
    _ name: String, in folders: PlugInFolders = installed,
    _ prepare: (AudioUnit) throws -> Void = { _ in }
  ) async throws -> UnitRig {
    try await UnitRig(name, in: catalogue(folders)) { unit in
      unit.isRenderingOffline = true
      for bus in Array(unit.inputBusses) + Array(unit.outputBusses) {
        try bus.setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
      }
      try prepare(unit)
    }
  }

  private func set(_ keyPath: String, of unit: AudioUnit, to value: Float) throws {
    try unit.setParameter(#require(unit.facts.parameter(atKeyPath: keyPath)).address, to: value)
  }

  private func value(_ keyPath: String, of unit: AudioUnit) throws -> Float? {
    unit.parameterValue(try #require(unit.facts.parameter(atKeyPath: keyPath)).address)
  }

  /// Returns the state that the plug-in writes, as Turtle.
  private func state(of unit: AudioUnit) throws -> String {
    var text = ""
    while true {
      let part = try unit.send(message: "\(text.utf8.count)", channel: "state")
      if part.isEmpty { return text }
      text += part
    }
  }

  /// Returns the value of a property in a state; "0.5" for `"0.5"^^xsd:float`.
  private func stored(_ name: String, in state: String) -> String? {
    let lines = state.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let line = lines.first { $0.contains("#\(name)> ") || $0.hasPrefix("eg-params:\(name) ") }
    let value = line?.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
    if value.hasPrefix("\"") { return value.split(separator: "\"").first.map(String.init) }
    return value.split(separator: " ").first.map(String.init)
  }

  @Test func theyAreParametersAndProperties() async throws {
    let facts = try await rig(Self.parameters).unit.facts
    let writable = facts.parameters.filter { $0.flags.contains(.writable) }.map(\.identifier)
    #expect(writable == ["bool", "double", "float", "int", "long", "spring"])
    let lfo = try #require(facts.parameter(atKeyPath: "lfo")).info
    #expect(!lfo.flags.contains(.writable) && (lfo.minimum, lfo.maximum) == (-1, 1))
    #expect(facts.parameter(atKeyPath: "float")?.info.defaultValue == 0.1234)
    #expect(facts.parameter(atKeyPath: "bool")?.info.unit == .boolean)
    #expect(facts.properties.map(\.identifier) == ["state", "path", "string"])
    #expect(facts.properties.map(\.isPath) == [false, true, false])
    let gain = try #require(try await rig(Self.sampler).unit.facts.parameter(atKeyPath: "gain"))
    #expect(gain.info.unit == .decibels && !gain.info.flags.contains(.rampable))
  }

  @Test func whatIsSetReachesThePlugIn() async throws {
    let rig = try await rig(Self.parameters) { unit in
      let values: KeyValuePairs<String, Float> = [
        "float": 0.5, "double": 0.25, "int": 1, "bool": 1,
      ]
      for (keyPath, value) in values { try set(keyPath, of: unit, to: value) }
      try unit.setProperty("string", to: "Grüße")
      try unit.setProperty("path", to: folder.write("here.txt", bytes: []))
    }
    let text = try state(of: rig.unit)
    #expect(stored("float", in: text) == "0.5")
    #expect(stored("double", in: text).flatMap(Double.init) == 0.25)
    #expect(stored("int", in: text) == "1")
    #expect(stored("long", in: text) == "0")
    #expect(stored("bool", in: text) == "true")
    #expect(stored("string", in: text) == "Grüße")
    #expect(text.contains(folder.path("here.txt")))
  }

  /// Values that were set take precedence over those of the state.
  @Test func aStateBringsWhatWasNotSet() async throws {
    let first = try await rig(Self.parameters) {
      try set("float", of: $0, to: 0.5)
      try set("double", of: $0, to: 0.25)
    }
    let saved = try state(of: first.unit)
    let second = try await rig(Self.parameters) {
      try $0.setProperty("state", to: saved)
      try set("float", of: $0, to: 0.75)
    }
    let text = try state(of: second.unit)
    #expect(stored("float", in: text) == "0.75")
    #expect(stored("double", in: text).flatMap(Double.init) == 0.25)
  }

  // MARK: - A plug-in that answers

  /// Returns the fixture "echo", which multiplies by `gain` and reports the sum of `gain` and
  /// `mode`. Another bundle has a preset for it.
  private func echo(_ prepare: (AudioUnit) throws -> Void = { _ in }) async throws -> UnitRig {
    try await fixture("echo", prepare)
  }

  private func fixture(
    _ name: String, _ prepare: (AudioUnit) throws -> Void = { _ in }
  ) async throws -> UnitRig {
    let source = URL(filePath: #filePath).appending(path: "../../../Fixtures/plug-ins").standardized
    if !FileManager.default.fileExists(atPath: folder.path("lv2")) {
      try FileManager.default.copyItem(atPath: source.path, toPath: folder.path("lv2"))
      try compile(
        source.appending(path: "\(name).lv2/\(name).c").path, to: "lv2/\(name).lv2/\(name).so")
    }
    return try await rig(
      "lv2:urn:test:\(name)", in: PlugInFolders(lv2: [folder.path("lv2")]), prepare)
  }

  /// lv2:enabled becomes 0 once the bypass has faded the plug-in out; "latch" then halves its
  /// output.
  @Test func aPlugInKnowsThatItIsBypassed() async throws {
    var rig = try await fixture("latch")
    let ones = Signals.constant(1, frames: 512)
    func render(_ rig: inout UnitRig) throws -> [Float] {
      var heard: [Float] = []
      for _ in 0..<8 { heard += try rig.render([[ones]], frames: 512)[0] }
      return heard
    }
    #expect(try render(&rig).allSatisfy { $0 == 1 })
    rig.unit.shouldBypassEffect = true
    #expect(try render(&rig).allSatisfy { $0 == 1 })
    rig.unit.shouldBypassEffect = false
    let heard = try render(&rig)
    #expect(heard[0] > 0.99 && heard[1024...].allSatisfy { $0 == 0.5 })
  }

  @Test func itsAnswersAreShown() async throws {
    var rig = try await echo()
    let ones = Signals.constant(1, frames: 1024)
    _ = try rig.render([[ones]], frames: 1024)
    #expect(try value("sum", of: rig.unit) == 1)
    let mode = try #require(rig.unit.facts.parameter(atKeyPath: "mode"))
    #expect(mode.info.valueStrings == ["Off", "On"])
    // Set values within a cycle; the host's value of `mode` is not the plug-in's.
    try rig.unit.scheduleParameter(at: .now(offset: 300), address: rig.address("gain"), value: 4)
    try rig.unit.scheduleParameter(at: .now(offset: 300), address: mode.address, value: 1)
    let heard = try rig.render([[ones]], frames: 1024)[0]
    #expect(heard.prefix(300).allSatisfy { $0 == 1 } && heard[300...].allSatisfy { $0 == 4 })
    #expect(try value("sum", of: rig.unit) == 14)
    let preset = try #require(rig.unit.factoryPresets.first { $0.name == "Loud" })
    #expect(try rig.unit.setCurrentPreset(preset).isEmpty)
    _ = try rig.render([[ones]], frames: 1024)
    #expect(try value("sum", of: rig.unit) == 12)
  }

  /// The saved data contains the loudest input so far, and not the parameters.
  @Test func whatItHoldsBesideItsParametersIsSaved() async throws {
    var first = try await echo { try set("gain", of: $0, to: 2) }
    _ = try first.render([[Signals.constant(0, frames: 1024)]], frames: 1024)
    #expect(try first.unit.refreshData().isEmpty)
    #expect(first.unit.fullState.properties.isEmpty)
    _ = try first.render([[Signals.constant(0.5, frames: 1024)]], frames: 1024)
    let saved = try #require(try first.unit.refreshData().first)
    #expect(saved.index == 0 && saved.value.contains("echo:peak") && saved.value.contains("0.5"))
    #expect(!saved.value.contains("echo:gain"))
    #expect(first.unit.fullState.properties == ["state": saved.value])

    var second = try await echo()
    #expect(try second.unit.restore(first.unit.fullState).isEmpty)
    #expect(try second.render([[Signals.constant(0.5, frames: 1024)]], frames: 1024)[0][0] == 1)
    #expect(try state(of: second.unit).contains("0.5"))
    #expect(try second.unit.refreshData().first?.value == saved.value)
  }

  /// The preset is in another bundle, and the plug-in's process reads it when it is chosen.
  @Test func aPresetBringsMoreThanParameters() async throws {
    var rig = try await echo()
    let preset = try #require(rig.unit.factoryPresets.first { $0.name == "Worn" })
    #expect(try rig.unit.setCurrentPreset(preset).isEmpty)
    #expect(try rig.render([[Signals.constant(0.25, frames: 1024)]], frames: 1024)[0][0] == 0.75)
    #expect(try state(of: rig.unit).contains("0.75"))
    // The state names the preset's bundle and URI, and is not a copy of it.
    let reference = try #require(rig.unit.propertyValues["state"])
    #expect(
      reference.hasPrefix("<file:///")
        && reference.hasSuffix("/echo-presets.lv2/> <urn:test:echo:worn>"))
  }

  /// The state is longer than one message to the plug-in's process.
  @Test func aLongStateIsRestored() async throws {
    let first = try await rig(Self.parameters) { try set("float", of: $0, to: 0.5) }
    let text = try state(of: first.unit) + "\n" + String(repeating: "# long\n", count: 20_000)
    let second = try await rig(Self.parameters)
    try second.unit.setProperty("state", to: text)
    #expect(try stored("float", in: state(of: second.unit)) == "0.5")
  }

  // MARK: - The sampler

  private func sound(_ name: String, frames: Int = 300) throws -> (path: String, samples: [Float]) {
    let samples = (0..<frames).map { 0.5 - Float($0) / 1024 }
    return (
      try SoundFile(sampleRate: 48_000, channels: [samples]).write(folder.path(name)), samples
    )
  }

  private static func play(_ rig: inout UnitRig) throws -> [Float] {
    try rig.unit.scheduleMIDI(bytes: [0x90, 60, 100])
    return try rig.render(frames: 1024)[0]
  }

  /// Whether the output starts with the samples; eg-sampler may leave out the last one.
  private static func isHeard(_ samples: [Float], in heard: [Float], gain: Float = 1) -> Bool {
    zip(heard, samples.dropLast()).allSatisfy { abs($0 - gain * $1) < 1e-4 }
  }

  @Test(arguments: [false, true])
  func aSampleIsLoadedAndHeard(whilePlaying: Bool) async throws {
    let (path, samples) = try sound("ramp.wav")
    var rig = try await rig(Self.sampler) {
      if !whilePlaying { try $0.setProperty("sample", to: path) }
    }
    if whilePlaying {
      #expect(try !Self.isHeard(samples, in: Self.play(&rig)))
      try rig.unit.setProperty("sample", to: path)
      _ = try rig.render(frames: 1024)
    }
    #expect(try Self.isHeard(samples, in: Self.play(&rig)))
    // A missing file changes nothing.
    #expect(throws: AudioUnitError.self) {
      try rig.unit.setProperty("sample", to: folder.path("none.wav"))
    }
    #expect(try Self.isHeard(samples, in: Self.play(&rig)))
  }

  @Test func aParameterTakesEffectAtItsFrame() async throws {
    let (path, samples) = try sound("ramp.wav")
    var rig = try await rig(Self.sampler) { try $0.setProperty("sample", to: path) }
    let gain = try rig.address("gain")
    try rig.unit.scheduleMIDI(bytes: [0x90, 60, 100])
    try rig.unit.scheduleParameter(at: .now(offset: 100), address: gain, value: -6)
    let heard = try rig.render(frames: 1024)[0]
    let quiet = pow(10, Float(-6) / 20)
    let expected = samples.enumerated().map { $0.offset < 100 ? $0.element : quiet * $0.element }
    let isExact = Self.isHeard(expected, in: heard)
    #expect(isExact)
    // The value stays when the render resources are freed and allocated again.
    rig.unit.deallocateRenderResources()
    try rig.unit.allocateRenderResources()
    #expect(try Self.isHeard(samples, in: Self.play(&rig), gain: quiet))
  }

  /// The first run sends the value to the plug-in, which first reports its old value.
  @Test func aParameterThatIsSetBeforehandIsKept() async throws {
    var usual = try await rig(Self.sampler)
    let click = try Self.play(&usual)
    var quiet = try await rig(Self.sampler) { try set("gain", of: $0, to: -6) }
    _ = try quiet.render(frames: 1024)
    #expect(try Self.isHeard(click, in: Self.play(&quiet), gain: pow(10, -6 / 20)))
    let node = try #require(quiet.unit.node)
    #expect(try bl_node_value(node, quiet.address("gain")) == -6)
  }

  @Test func aSavedStateBringsTheSampleBack() async throws {
    let (path, samples) = try sound("ramp.wav")
    let first = try await rig(Self.sampler) {
      try $0.setProperty("sample", to: path)
      try set("gain", of: $0, to: 6)
    }
    let saved = first.unit.fullStateForDocument(in: folder.path(""))
    #expect(saved.properties["sample"] == "ramp.wav")
    var second = try await rig(Self.sampler)
    let remarks = try second.unit.restore(saved, folders: [folder.path("")])
    #expect(remarks.isEmpty)
    _ = try second.render(frames: 1024)
    #expect(try Self.isHeard(samples, in: Self.play(&second), gain: pow(10, 6 / 20)))
  }

  @Test func thePlugInsOwnStateNamesTheSample() async throws {
    let (path, samples) = try sound("ramp.wav")
    let first = try await rig(Self.sampler) { try $0.setProperty("sample", to: path) }
    let text = try state(of: first.unit)
    #expect(text.contains(path))
    var second = try await rig(Self.sampler) { try $0.setProperty("state", to: text) }
    #expect(try Self.isHeard(samples, in: Self.play(&second)))
  }
}
