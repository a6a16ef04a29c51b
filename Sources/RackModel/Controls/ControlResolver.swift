import Documents
import UnitModel

/// Checks a file's controls.
struct ControlResolver {
  let names: RackNames
  let ports: RackPorts
  let targets: TargetResolver
  let scenes: [PlannedScene]

  /// Few enough to look through for each message.
  static let mostControls = 256

  static let curves: [String: ParameterCurve] = [
    "linear": .linear, "log": .logarithmic, "square": .squared,
  ]

  func resolve(
    _ entries: [ControlEntry], diagnostics: inout DiagnosticCollector
  ) -> [PlannedControl] {
    if entries.count > Self.mostControls {
      diagnostics.error(
        entries[Self.mostControls].position,
        "a rack has at most \(Self.mostControls) controls; this one has \(entries.count)")
      return []
    }
    return entries.compactMap { entry in
      let origin = entry.source.flatMap { source($0, diagnostics: &diagnostics) }
      let action = entry.target.flatMap { target -> PlannedControl.Action? in
        // A unit may have such a name.
        if case .unit? = names.owners[String(target.value.unitName)] {
          return move(entry, target, diagnostics: &diagnostics)
        }
        if target.value.hasPrefix("scene ") {
          return recall(entry, target, diagnostics: &diagnostics)
        }
        if let command = ControlCommand(written: target.value) {
          refuseSpareKeys(of: entry, "“\(command)”", diagnostics: &diagnostics)
          return .command(command)
        }
        if !target.value.contains(".") {
          let known = ["scene NAME"] + ControlCommand.texts
          diagnostics.error(
            target.position,
            "“\(target.value)” is no target of a control; that is UNIT.PARAMETER, "
              + "UNIT.\(ParameterPath.bypass), \(known.joined(separator: ", "))",
            suggestion: nearestWord(to: target.value, in: known))
          return nil
        }
        return move(entry, target, diagnostics: &diagnostics)
      }
      guard let (port, source) = origin, let action else { return nil }
      if case .move(_, let mode, _, _, _) = action, !source.fits(mode) {
        diagnostics.error(
          entry.mode?.position ?? entry.position,
          "only controllers come as an encoder's clicks, not “\(source)”")
      }
      return PlannedControl(
        port: port, source: source, action: action, picksUp: entry.picksUp?.value ?? false)
    }
  }

  private func source(
    _ written: Located<String>, diagnostics: inout DiagnosticCollector
  ) -> (port: Int, ControlSource)? {
    // A port's name may have spaces in it.
    let inputs = ports.midiInputs.map(\.port.name)
    let text = written.value
    let name =
      inputs.filter { text == $0 || text.hasPrefix("\($0) ") }.max { $0.count < $1.count }
      ?? text.prefix { $0 != " " }.description
    guard case .midiInput(let port)? = names.owners[name] else {
      let reason =
        names.owners[name].map { "“\(name)” is \($0.kind)" } ?? "there is no MIDI input “\(name)”"
      diagnostics.error(
        written.position,
        "\(reason); a control comes from a MIDI input, as in from: keys cc 1",
        suggestion: nearestWord(to: name, in: inputs))
      return nil
    }
    do throws(ControlSource.Fault) {
      let words = text.dropFirst(name.count).split(separator: " ")
      return (port, try ControlSource(written: words))
    } catch {
      diagnostics.error(
        written.position, "“\(written.value)”: \(error.reason)", suggestion: error.suggestion)
      return nil
    }
  }

  private func recall(
    _ entry: ControlEntry, _ target: Located<String>, diagnostics: inout DiagnosticCollector
  ) -> PlannedControl.Action? {
    let name = target.value.dropFirst("scene ".count).trimmingPrefix { $0 == " " }
    refuseSpareKeys(of: entry, "a scene, which is recalled whole", diagnostics: &diagnostics)
    guard let scene = scenes.firstIndex(where: { $0.name == name }) else {
      diagnostics.error(
        target.position, "there is no scene “\(name)”",
        suggestion: nearestWord(to: String(name), in: scenes.map(\.name)).map { "scene \($0)" })
      return nil
    }
    return .recall(scene: scene)
  }

  private func refuseSpareKeys(
    of entry: ControlEntry, _ what: String, diagnostics: inout DiagnosticCollector
  ) {
    let spare = [
      entry.range?.first.map { ("range", $0.position) },
      entry.curve.map { ("curve", $0.position) }, entry.mode.map { ("mode", $0.position) },
      entry.picksUp.map { ("pick_up", $0.position) },
    ]
    for case (let key, let position)? in spare {
      diagnostics.error(position, "“\(key)” says nothing about \(what)")
    }
  }

  private func move(
    _ entry: ControlEntry, _ written: Located<String>, diagnostics: inout DiagnosticCollector
  ) -> PlannedControl.Action? {
    guard let (target, info) = targets.resolve(written, diagnostics: &diagnostics) else {
      return nil
    }
    let ends = entry.range.map { range in
      range.compactMap { end in
        targets.value(end, info, name: written.value, diagnostics: &diagnostics)
      }
    }
    let mode = mode(entry.mode, diagnostics: &diagnostics)
    let curve = curve(entry.curve, of: info, diagnostics: &diagnostics)
    let (from, to) = (ends?.first ?? info.minimum, ends?.last ?? info.maximum)
    guard ends?.count ?? 2 == 2, let mode, let curve else { return nil }
    if curve == .logarithmic, from <= 0 || to <= 0 {
      diagnostics.error(
        entry.range?.first?.position ?? entry.curve?.position ?? entry.position,
        "“curve: log” goes by ratios, so both ends of its range are above 0")
      return nil
    }
    if let picksUp = entry.picksUp, picksUp.value, mode != .absolute {
      diagnostics.error(
        picksUp.position, "only “mode: absolute” has a place to be picked up from")
    }
    return .move(target, mode: mode, from: from, to: to, curve: curve)
  }

  private func mode(
    _ written: Located<String>?, diagnostics: inout DiagnosticCollector
  ) -> ControlMode? {
    guard let written else { return .absolute }
    if let mode = ControlMode(rawValue: written.value) { return mode }
    let known = ControlMode.allCases.map(\.rawValue)
    diagnostics.error(
      written.position,
      "“\(written.value)” is not a mode; that is \(known.joined(separator: ", "))",
      suggestion: nearestWord(to: written.value, in: known))
    return nil
  }

  private func curve(
    _ written: Located<String>?, of info: ParameterInfo, diagnostics: inout DiagnosticCollector
  ) -> ParameterCurve? {
    guard let written else { return info.curve }
    if let curve = Self.curves[written.value] { return curve }
    let known = Self.curves.keys.sorted()
    diagnostics.error(
      written.position,
      "“\(written.value)” is not a curve; that is \(known.joined(separator: ", "))",
      suggestion: nearestWord(to: written.value, in: known))
    return nil
  }
}
