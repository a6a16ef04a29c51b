import AudioUnits
import UnitModel

extension BuiltInUnit {
  /// Creates an instance with a factory preset and parameters, with the same number of channels on
  /// every bus; an instrument keeps its own.
  package func host(
    channels: Int = 1, sampleRate: Double = 48_000, preset: String? = nil,
    _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let host = try UnitHost(
      descriptor, sampleRate: sampleRate, inputChannels: inputBusses.map { _ in channels },
      outputChannels: inputBusses.isEmpty ? nil : outputBusses.map { _ in channels })
    let facts = UnitFacts(facts)
    let state = try preset.map { try Self.presets.entry(named: $0, of: facts).state }
    for (keyPath, value) in state?.parameters ?? [:] { host.set(keyPath, value) }
    for (identifier, value) in parameters { host.set(identifier, value) }
    host.reset()
    return host
  }

  /// The names of the factory presets.
  package var presetNames: [String] {
    Self.presets.presets(of: UnitFacts(facts)).entries.map(\.preset.name)
  }

  private static let presets = PresetLibrary(
    userFolder: "/nonexistent", shippedFolder: DataFolder.find("presets"))
}

extension UnitHost {
  /// Returns one channel's output for one channel on the first input bus.
  package func play(_ samples: [Float], events: [Event] = []) -> [Float] {
    play([samples], events: events)[0]
  }

  /// Returns the output for channels × frames on the first input bus.
  package func play(_ channels: [[Float]], events: [Event] = []) -> [[Float]] {
    render(inputs: [channels], frames: channels[0].count, events: events)
  }

  package func impulseResponse(frames: Int = 8192) -> [Float] {
    play(Signals.impulse(frames: frames))
  }
}
