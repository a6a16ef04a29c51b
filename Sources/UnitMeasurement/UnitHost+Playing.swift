import BacklineTestSupport

extension BuiltInUnit {
  /// An instance with a factory preset and parameters, the same number of channels on every bus; an
  /// instrument keeps its own.
  package func host(
    channels: Int = 1, sampleRate: Double = 48_000, preset: String? = nil,
    _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    try UnitHost(
      descriptor, sampleRate: sampleRate, inputChannels: inputBusses.map { _ in channels },
      outputChannels: inputBusses.isEmpty ? nil : outputBusses.map { _ in channels },
      parameters: preset.map(settings(ofPreset:))?.merging(parameters) { $1 } ?? parameters)
  }

  package var presetNames: [String] { factoryPresets.map { String(cString: $0.name) } }

  /// The values of a factory preset by key path.
  private func settings(ofPreset name: String) -> [String: Float] {
    guard let preset = factoryPresets.first(where: { String(cString: $0.name) == name }) else {
      fatalError("\(self) has no preset \(name)")
    }
    let values = (0..<Int(preset.value_count)).map { preset.values[$0] }
    return Dictionary(
      uniqueKeysWithValues: values.map { value in
        let parameter = parameters[Int(value.address & 0xFFFF_FFFF)]
        let group = parameter.group.map { String(cString: $0) + "." } ?? ""
        return (group + String(cString: parameter.identifier), value.value)
      })
  }
}

extension UnitHost {
  /// The output of one channel for one channel on the first input bus.
  package func play(_ samples: [Float], events: [Event] = []) -> [Float] {
    play([samples], events: events)[0]
  }

  /// The same for channels × frames.
  package func play(_ channels: [[Float]], events: [Event] = []) -> [[Float]] {
    render(inputs: [channels], frames: channels[0].count, events: events)
  }

  package func impulseResponse(frames: Int = 8192) -> [Float] {
    play(Signals.impulse(frames: frames))
  }
}
