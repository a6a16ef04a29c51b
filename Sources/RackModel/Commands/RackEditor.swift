import Documents
import UnitModel

/// Edits racks; an edited rack is checked exactly as a file is.
package struct RackEditor {
  let checker: RackChecker

  /// `checker` takes paths from the folder of the racks that are edited.
  package init(_ checker: RackChecker) {
    self.checker = checker
  }

  /// The rack after an edit.
  ///
  /// - Throws: `Refusal` where the edit names something unknown, or the rack would be wrong.
  package func apply(_ edit: RackEdit, to rack: CheckedRack) throws(Refusal) -> CheckedRack {
    var file = rack.file
    switch edit {
    case .add(let name, let unit, let preset, let inputs, let cable):
      try add(name, unit, preset, inputs, into: cable, in: &file)
    case .remove(let name):
      // MIDI into a synth does not go on as sound, for one; then the cables end.
      if let rack = try? removed(name, from: file, isClosed: true) { return rack }
      return try removed(name, from: file, isClosed: false)
    case .replace(let name, let unit): try replace(name, by: unit, in: &file)
    case .rename(let name, let new): try rename(name, to: new, in: &file)
    case .connect(let chain): try cables(of: file).connect(chain, in: &file)
    case .disconnect(let chain): try cables(of: file).disconnect(chain, in: &file)
    case .loadPreset(let name, let preset):
      let place = try self.place(of: name, in: file)
      file.units[place].preset = Located(preset)
      file.units[place].parameters = []
      // A plug-in's data are settings, too. Files and texts stay, and what a unit has learnt, unless the
      // preset has it.
      if let facts = rack.plan.units.first(where: { $0.name == name })?.facts {
        let own = checker.presets(facts).first { $0.presetName == preset }?.properties ?? [:]
        let replaced = facts.properties.filter {
          $0.kind == .data && (facts.component.plugIn != nil || own[$0.identifier] != nil)
        }.map(\.identifier)
        file.units[place].properties.removeAll { replaced.contains($0.key.value) }
      }
      file.units[place].songOverrides = SongOverrides()
    case .setProperty(let name, let property, let value):
      let place = try self.place(of: name, in: file)
      file.units[place].properties.removeAll { $0.key.value == property }
      file.units[place].properties.append(Setting(property, value))
    case .modulate(let modulation):
      put(modulation, among: &file.modulations) { $0.source?.value == modulation.source?.value }
    case .endModulation(let target, let source):
      try remove(what: "modulation", of: target, by: source, among: &file.modulations)
    case .map(let control):
      let inputs = file.inputs.map(\.name.value)
      put(control, among: &file.controls) { control.isMoved(with: $0, inputs: inputs) }
    case .forget(let target, let source):
      try remove(what: "control", of: target, by: source, among: &file.controls)
    case .renameScene(let name, let new): try file.renameScene(name, to: new)
    case .removeScene(let name): try file.removeScene(name)
    }
    let after = try checked(file)
    try checkPreset(of: edit, in: after)
    return after
  }

  /// - Throws: `Refusal` where the edit itself names a preset that there is not.
  private func checkPreset(of edit: RackEdit, in rack: CheckedRack) throws(Refusal) {
    let named: (unit: String, preset: String?)? =
      switch edit {
      case .add(let name, _, let preset, _, _): (name, preset)
      case .loadPreset(let name, let preset): (name, preset)
      default: nil
      }
    guard let named, let preset = named.preset,
      let unit = rack.plan.units.first(where: { $0.name == named.unit }), unit.presetName == nil
    else { return }
    throw checker.absence(ofPreset: preset, of: unit.facts)
  }

  package func checked(_ file: Rack) throws(Refusal) -> CheckedRack {
    let (rack, diagnostics) = checker.check(file)
    if let rack { return rack }
    throw Refusal(diagnostics) ?? Refusal("the rack would be wrong")
  }

  private func add(
    _ name: String, _ unit: String, _ preset: String?, _ inputs: Int?, into cable: String?,
    in file: inout Rack
  ) throws(Refusal) {
    try checkIsFree(name, in: file)
    var entry = Rack.Unit(name, unit, preset: preset)
    entry.inputs = inputs.map { Located($0) }
    if let cable { try cables(of: file).insert(name, into: cable, in: &file) }
    file.units.append(entry)
  }

  private func removed(
    _ name: String, from file: Rack, isClosed: Bool
  ) throws(Refusal) -> CheckedRack {
    let place = try self.place(of: name, in: file)
    var file = file
    cables(of: file).remove(name, in: &file, isClosed: isClosed)
    file.removeTargets(of: name)
    file.removeModulations(by: name)
    file.units.remove(at: place)
    return try checked(file)
  }

  private func cables(of file: Rack) -> CableEditor { CableEditor(file, checker: checker) }

  private func replace(
    _ name: String, by unit: String, in file: inout Rack
  ) throws(Refusal) {
    let place = try self.place(of: name, in: file)
    let old = file.units[place]
    var new = old
    (new.unit, new.preset, new.inputs) = (Located(unit), nil, nil)
    (new.parameters, new.properties, new.songOverrides) = ([], [], SongOverrides())
    let resolver = UnitResolver(checker: checker, diagnostics: DiagnosticCollector(file: file.file))
    // Where there is none, the check says why.
    if let facts = try? checker.catalogue.facts(for: resolver.reference(unit)).first {
      // Only where the new one can have as many.
      if facts.canAddInputBusses { new.inputs = old.inputs }
      let busCount = new.inputs?.value ?? facts.inputBusses.count
      file.removeTargets(of: name) { keyPath in
        keyPath == ParameterPath.bypass
          || facts.parameter(atKeyPath: keyPath, inputBusCount: busCount) != nil
          || !facts.files(named: keyPath).isEmpty
      }
    }
    file.units[place] = new
  }

  private func rename(
    _ name: String, to new: String, in file: inout Rack
  ) throws(Refusal) {
    let place = try self.place(of: name, in: file)
    try checkIsFree(new, in: file)
    file.units[place].name = Located(new)
    file.renameTargets(of: name, to: new)
    for (number, chain) in file.connections.enumerated() {
      for (end, text) in chain.endpoints.enumerated() where text.value.chainUnitName == name {
        file.connections[number].endpoints[end].value = new + text.value.dropFirst(name.count)
      }
    }
  }

  /// In the place of those of the same target and source.
  private func put<Entry: ListedEntry>(
    _ entry: Entry, among entries: inout [Entry], hasSameSource: (Entry) -> Bool
  ) {
    let isFormer = { (other: Entry) in
      other.target?.value == entry.target?.value && hasSameSource(other)
    }
    let place = entries.firstIndex(where: isFormer)
    entries.removeAll(where: isFormer)
    entries.insert(entry, at: place ?? entries.count)
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

  func place(of name: String, in file: Rack) throws(Refusal) -> Int {
    if let place = file.units.firstIndex(where: { $0.name.value == name }) { return place }
    let names = file.units.map(\.name.value)
    throw Refusal(
      "there is no unit “\(name)” in this rack", suggestion: nearestWord(to: name, in: names))
  }

  private func checkIsFree(_ name: String, in file: Rack) throws(Refusal) {
    let ports = (file.inputs + file.outputs).map(\.name.value)
    if file.units.contains(where: { $0.name.value == name }) {
      throw Refusal("“\(name)” is already the name of a unit")
    }
    if ports.contains(name) { throw Refusal("“\(name)” is already the name of a port") }
  }
}

extension Rack.Control {
  /// Whether a message moves both, however they are written: `keys cc 7` and, as it is learned,
  /// `keys cc 7 channel 1`.
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

extension String {
  /// Of `echo.sidechain`, and of `echo`.
  var unitName: Substring { prefix { $0 != "." } }

  /// Of `echo.sidechain` and of `echo channel 2`, in a chain.
  var chainUnitName: String { String(ChainName(self).path.unitName) }
}
