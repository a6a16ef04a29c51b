import Documents

extension RackFile {
  /// Do both say the same, wherever and in whatever order they say it?
  func saysTheSame(as other: RackFile) -> Bool { meaning == other.meaning }

  private var meaning: Meaning {
    Meaning(
      name: name?.value, tempo: tempo?.value,
      processes: [
        processes.patience?.value, processes.processor?.value,
        processes.restarts.map { "\($0.value)" },
      ],
      inputs: inputs.byName(\.name.value) { Meaning.Port($0) },
      outputs: outputs.byName(\.name.value) { Meaning.Port($0) },
      units: units.byName(\.name.value) { unit in
        var rest = unit.unplaced
        (rest.parameters, rest.properties) = ([], [])
        return Meaning.Unit(
          rest: rest, parameters: unit.parameters.byKey, properties: unit.properties.byKey)
      },
      connections: connections.map(\.text).sorted(),
      controls: controls.map { control in
        [
          control.source?.value, control.target?.value, control.curve?.value, control.mode?.value,
          control.picksUp.map { "\($0.value)" },
        ] + (control.range ?? []).map(\.value)
      },
      scenes: scenes.byName(\.name.value) {
        Meaning.Scene(time: $0.time?.value, values: $0.values.byKey)
      },
      automation: automation.byName(\.target.value) {
        Meaning.Lane(points: $0.points.map(\.value), curve: $0.curve?.value)
      })
  }

  private struct Meaning: Equatable {
    struct Port: Equatable {
      var channels: Int?
      var isMIDI: Bool
      var connect: [[String]]?

      init(_ port: PortEntry) {
        (channels, isMIDI, connect) = (port.channels?.value, port.isMIDI, port.connect?.value)
      }
    }

    struct Unit: Equatable {
      var rest: UnitEntry
      var parameters: [String: String]
      var properties: [String: String]
    }

    struct Scene: Equatable {
      var time: String?
      var values: [String: String]
    }

    struct Lane: Equatable {
      var points: [String]
      var curve: String?
    }

    var name: String?
    var tempo: String?
    var processes: [String?]
    var inputs: [String: Port]
    var outputs: [String: Port]
    var units: [String: Unit]
    var connections: [String]
    var controls: [[String?]]
    var scenes: [String: Scene]
    var automation: [String: Lane]
  }
}

extension Array {
  fileprivate func byName<Value>(
    _ name: (Element) -> String, _ value: (Element) -> Value
  ) -> [String: Value] {
    Dictionary(map { (name($0), value($0)) }) { first, _ in first }
  }
}

extension [SettingEntry] {
  fileprivate var byKey: [String: String] { byName(\.key.value, \.value.value) }
}
