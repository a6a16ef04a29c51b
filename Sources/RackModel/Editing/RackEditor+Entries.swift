import Documents

/// Edits of modulations, controls and scenes.
extension RackEditor {
  /// Adds a modulation; it replaces one with the same source and target.
  package func modulate(
    _ modulation: Rack.Modulation, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file in
      put(modulation, among: &file.modulations) { $0.source?.value == modulation.source?.value }
    }
  }

  /// Removes every modulation of a target; with `source` only the one from that source.
  ///
  /// - Throws: `Refusal` where there is none.
  package func removeModulations(
    of target: String, by source: String?, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in
      try remove(what: "modulation", of: target, by: source, among: &file.modulations)
    }
  }

  /// Adds a control; it replaces those with the same target whose source one message can match.
  package func map(
    _ control: Rack.Control, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file in
      let inputs = file.inputs.map(\.name.value)
      put(control, among: &file.controls) { control.isMoved(with: $0, inputs: inputs) }
    }
  }

  /// Removes every control of a target; with `source` only the one from that source.
  ///
  /// - Throws: `Refusal` where there is none.
  package func removeControls(
    of target: String, from source: String?, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in
      try remove(what: "control", of: target, by: source, among: &file.controls)
    }
  }

  /// Stores the present values as a scene, as `CheckedRack.storingScene` does.
  package func storeScene(
    _ name: String, over time: String?, of rack: CheckedRack, since earlier: [PlannedUnit]
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in
      file.scenes = try rack.storingScene(name, over: time, since: earlier)
    }
  }

  package func renameScene(
    _ name: String, to new: String, in rack: CheckedRack
  ) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in try file.renameScene(name, to: new) }
  }

  /// Removes a scene and the controls that recall it.
  package func removeScene(_ name: String, from rack: CheckedRack) throws(Refusal) -> CheckedRack {
    try edited(rack) { file throws(Refusal) in try file.removeScene(name) }
  }

  /// Inserts an entry in place of those with the same target and source, or at the end.
  private func put<Entry: ListedEntry>(
    _ entry: Entry, among entries: inout [Entry], hasSameSource: (Entry) -> Bool
  ) {
    let isFormer = { (other: Entry) in
      other.target?.value == entry.target?.value && hasSameSource(other)
    }
    let index = entries.firstIndex(where: isFormer)
    entries.removeAll(where: isFormer)
    entries.insert(entry, at: index ?? entries.count)
  }

  private func remove<Entry: ListedEntry>(
    what: String, of target: String, by source: String?, among entries: inout [Entry]
  ) throws(Refusal) {
    let sources = entries.filter { $0.target?.value == target }.compactMap(\.source?.value)
    guard !sources.isEmpty else {
      throw Refusal(
        "no \(what) moves “\(target)”",
        suggestion: nearestWord(to: target, in: entries.compactMap(\.target?.value)))
    }
    if let source, !sources.contains(source) {
      throw Refusal(
        "“\(source)” does not move “\(target)”", suggestion: nearestWord(to: source, in: sources))
    }
    entries.removeAll {
      $0.target?.value == target && (source == nil || $0.source?.value == source)
    }
  }
}

extension Rack.Control {
  /// Whether one message moves both controls, however they are written: `keys cc 7` and, as learned, `keys
  /// cc 7 channel 1`.
  fileprivate func isMoved(with other: Rack.Control, inputs: [String]) -> Bool {
    guard let source = source?.value, let other = other.source?.value else { return false }
    let port = ControlSource.port(of: source, among: inputs)
    guard port == ControlSource.port(of: other, among: inputs),
      let one = try? ControlSource(written: source, from: port),
      let another = try? ControlSource(written: other, from: port)
    else { return source == other }
    return one.overlaps(another)
  }
}
