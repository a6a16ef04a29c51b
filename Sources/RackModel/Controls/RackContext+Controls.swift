import Documents
import UnitModel

extension PlannedControl {
  /// The most controls of a rack: few enough to compare with each message.
  static let maximumControls = 256
}

extension RackContext {
  /// Checks a file's controls; returns the correct ones, and reports errors to `diagnostics`.
  func controls(
    _ entries: [Rack.Control], scenes: [PlannedScene], targets: [CalledCommand.Form]
  ) -> [PlannedControl] {
    if entries.count > PlannedControl.maximumControls {
      diagnostics.error(
        entries[PlannedControl.maximumControls].position,
        "a rack has at most \(PlannedControl.maximumControls) controls; this one has \(entries.count)"
      )
      return []
    }
    return entries.compactMap { entry -> PlannedControl? in
      let origin = entry.source.flatMap { self.source($0) }
      let action = entry.target.flatMap { self.action(of: entry, $0, scenes, targets) }
      guard let (port, source) = origin, let action else { return nil }
      if case .move(_, let mode, _, _, _) = action, !source.fits(mode) {
        diagnostics.error(
          entry.mode?.position ?? entry.position,
          "only controllers can be endless encoders, not “\(source)”")
      }
      return PlannedControl(
        port: port, source: source, action: action, picksUp: entry.picksUp?.value ?? false,
        latches: entry.mode?.value == .latching)
    }
  }

  private func action(
    of entry: Rack.Control, _ target: Located<String>, _ scenes: [PlannedScene],
    _ targets: [CalledCommand.Form]
  ) -> PlannedControl.Action? {
    let text = target.value
    // A unit may be called “scene x” or “record”.
    if case .unit? = owners[String(text.unitName)] { return move(entry, target) }
    if text.hasPrefix("scene ") { return recall(entry, target, scenes) }
    if let action = call(text, targets) {
      refuseSpareKeys(of: entry, "“\(text)”")
      if case .command(let command) = action, let file = command.file,
        !hasFile(file, target.position)
      {
        return nil
      }
      return action
    }
    if text.contains(".") { return move(entry, target) }
    let known = ["scene NAME", "tempo.tap", "tap", "panic"] + targets.map(\.pattern)
    let paths = units.flatMap { unit in
      (unit.facts?.allParameters(inputBusCount: unit.inputBusCount) ?? []).map {
        "\(unit.name).\($0.keyPath)"
      }
    }
    diagnostics.error(
      target.position,
      "“\(text)” is not a target of a control; write UNIT.PARAMETER, UNIT.\(ParameterPath.bypass), "
        + known.joined(separator: ", "),
      suggestion: paths.first { $0.hasSuffix(".\(text)") }
        ?? nearestWord(to: text, in: known + paths))
    return nil
  }

  /// Returns the action of a target that calls a command; nil for another target. Tempo taps and panic are
  /// actions of their own, which the engine and the kernel perform at their frame.
  private func call(_ text: String, _ targets: [CalledCommand.Form]) -> PlannedControl.Action? {
    switch text {
    case "tempo.tap", "tap": .tap
    case "panic": .panic
    default: CalledCommand(written: text, in: targets).map { .command($0) }
    }
  }

  /// Returns whether commands can change the file of that name; reports an error if not.
  private func hasFile(_ name: String, _ position: SourcePosition) -> Bool {
    let path = UnitFilePath(name)
    let unit = units.first { $0.name == path.unit }
    // The properties of a missing unit are unknown.
    if let unit, unit.facts?.files(named: path.property).isEmpty == false || unit.facts == nil {
      return true
    }
    let withFiles = units.filter { $0.facts?.files(named: "").isEmpty == false }.map(\.name)
    diagnostics.error(
      position,
      unit == nil ? "there is no unit “\(path.unit)”" : "“\(name)” is no file of a unit",
      suggestion: nearestWord(to: path.unit, in: withFiles))
    return false
  }

  private func source(_ written: Located<String>) -> (port: Int, ControlSource)? {
    let inputs = ports.midiInputs.map(\.port.name)
    let name = ControlSource.port(of: written.value, among: inputs)
    guard case .midiInput(let port)? = owners[name] else {
      let reason =
        owners[name].map { "“\(name)” is \($0.kind)" } ?? "there is no MIDI input “\(name)”"
      diagnostics.error(
        written.position,
        "\(reason); a control comes from a MIDI input, as in from: keys cc 1",
        suggestion: nearestWord(to: name, in: inputs))
      return nil
    }
    let source = diagnostics.value(of: written) { text throws(Refusal) in
      try ControlSource(written: text, from: name)
    }
    return source.map { (port, $0) }
  }

  private func recall(
    _ entry: Rack.Control, _ target: Located<String>, _ scenes: [PlannedScene]
  ) -> PlannedControl.Action? {
    let name = target.value.dropFirst("scene ".count).trimmingPrefix { $0 == " " }
    refuseSpareKeys(of: entry, "a scene, which is recalled whole")
    guard let scene = scenes.firstIndex(where: { $0.name == name }) else {
      diagnostics.error(
        target.position, "there is no scene “\(name)”",
        suggestion: nearestWord(to: String(name), in: scenes.map(\.name)).map { "scene \($0)" })
      return nil
    }
    return .recall(scene: scene)
  }

  private func refuseSpareKeys(of entry: Rack.Control, _ target: String) {
    let spare = [
      entry.range?.first.map { ("range", $0.position) },
      entry.curve.map { ("curve", $0.position) },
      entry.mode.flatMap { $0.value == .latching ? nil : ("mode", $0.position) },
      entry.picksUp.map { ("pick_up", $0.position) },
    ]
    for case (let key, let position)? in spare {
      diagnostics.error(position, "“\(key)” has no meaning for \(target)")
    }
  }

  private func move(
    _ entry: Rack.Control, _ written: Located<String>
  ) -> PlannedControl.Action? {
    guard let (target, info) = target(written) else { return nil }
    if let range = entry.range, range.count != 2 {
      diagnostics.error(entry.position, KeyType.rangeForm)
      return nil
    }
    let ends = entry.range?.compactMap { value($0, for: info, name: written.value) }
    guard ends?.count ?? 2 == 2 else { return nil }
    let mode = entry.mode?.value ?? (info.isMomentary ? .toggle : .absolute)
    let curve = entry.curve?.value ?? info.curve
    let (from, to) = (ends?.first ?? info.travel.from, ends?.last ?? info.travel.to)
    if curve == .logarithmic, from <= 0 || to <= 0 {
      diagnostics.error(
        entry.range?.first?.position ?? entry.curve?.position ?? entry.position,
        "“curve: log” goes by ratios, so both ends of its range must be above 0")
      return nil
    }
    if let picksUp = entry.picksUp, picksUp.value, mode != .absolute {
      diagnostics.error(picksUp.position, "“pick_up” works with “mode: absolute” only")
    }
    return .move(target, mode: mode, from: from, to: to, curve: curve)
  }
}

extension ParameterInfo {
  /// The range of a control whose entry names none: the parameter's range. Where a plug-in states no bound
  /// (a million or more), the range ends at 0, 1 or ten times the default instead.
  fileprivate var travel: (from: Float, to: Float) {
    let from = minimum > -1e6 ? minimum : min(10 * defaultValue, 0)
    return (from, maximum < 1e6 ? maximum : max(10 * defaultValue, from + 1))
  }
}
