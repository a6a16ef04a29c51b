import Documents

extension RackFileReader {
  mutating func controls(_ value: YAMLValue) -> [ControlEntry] {
    guard case .sequence(let values) = value.content else {
      diagnostics.error(
        value.position,
        "“controls” must be a list of maps such as - { from: keys cc 1, to: ring.frequency }, "
          + "not \(value.kind)")
      return []
    }
    return values.map { control($0) }
  }

  private mutating func control(_ value: YAMLValue) -> ControlEntry {
    var control = ControlEntry(position: value.position)
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.position,
        "a control is a map such as { from: keys cc 1, to: ring.frequency }, not \(value.kind)")
      return control
    }
    for (key, value) in pairs.map({ ($0.key, $0.value) }) {
      switch key.value {
      case "from": control.source = diagnostics.text(value, of: "from")
      case "to": control.target = diagnostics.text(value, of: "to")
      case "range": control.range = range(value)
      case "curve": control.curve = diagnostics.text(value, of: "curve")
      case "mode": control.mode = diagnostics.text(value, of: "mode")
      case "pick_up":
        control.picksUp = diagnostics.boolean(value, of: "pick_up").map {
          Located($0, at: value.position)
        }
      default:
        diagnostics.unknown(
          key, in: "a control", known: ["from", "to", "range", "curve", "mode", "pick_up"])
      }
    }
    for word in ["from", "to"] where !pairs.contains(where: { $0.key.value == word }) {
      diagnostics.error(
        value.position,
        word == "from"
          ? "a control says where it comes from, as in from: keys cc 1"
          : "a control says what it moves, as in to: ring.frequency")
    }
    return control
  }

  private mutating func range(_ value: YAMLValue) -> [Located<String>]? {
    guard case .sequence(let values) = value.content, values.count == 2 else {
      diagnostics.error(
        value.position, "“range” must be a list of two values such as [5 Hz, 80 Hz]")
      return nil
    }
    let ends = values.compactMap { diagnostics.text($0, of: "range") }
    return ends.count == 2 ? ends : nil
  }

  mutating func scenes(_ value: YAMLValue) -> [SceneEntry] {
    diagnostics.entries(value, of: "scenes").map { name, value in
      var scene = SceneEntry(name: name)
      guard case .mapping(let pairs) = value.content else {
        diagnostics.error(
          value.isNull ? name.position : value.position,
          "“\(name.value)” must be a map such as { ring.bypass: true, echo.mix: 20 % }, "
            + "not \(value.kind)")
        return scene
      }
      if !pairs.contains(where: { $0.key.value != "over" }) {
        diagnostics.warning(name.position, "the scene “\(name.value)” sets nothing")
      }
      if let time = pairs.first(where: { $0.key.value == "over" }) {
        scene.time = diagnostics.text(time.value, of: "over")
      }
      var rest = value
      rest.content = .mapping(pairs.filter { $0.key.value != "over" })
      scene.values = diagnostics.settings(rest, of: name.value)
      return scene
    }
  }
}
