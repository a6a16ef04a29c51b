import Documents
import UnitModel

/// Finds the units of a rack file in the catalogue, and their presets, parameters and properties.
struct UnitResolver {
  let checker: RackChecker
  let diagnostics: DiagnosticCollector

  private var catalogue: any UnitDirectory { checker.catalogue }

  func resolve(_ entry: Rack.Unit) -> ResolvedUnit {
    var unit = ResolvedUnit(entry)
    guard let wanted = entry.unit else { return unit }
    let reference = reference(wanted.value)
    if let facts = facts(for: reference, written: wanted) {
      unit.facts = facts
      unit.reference = reference
      unit.grantedFiles = grantedFiles(entry)
      unit.inputBusCount = inputBusCount(entry, of: facts)
      let preset = entry.preset.flatMap { self.preset($0, of: facts) }
      unit.presetName = preset?.presetName
      unit.parameters = parameters(entry, preset, of: facts, inputBusCount: unit.inputBusCount)
      unit.properties = properties(entry, preset, of: facts, missing: &unit.missingFiles)
    }
    checkConsent(of: unit)
    checkPipeline(of: unit)
    return unit
  }

  /// Returns the error why the catalogue lacks a unit; nil where one or several units fit.
  func absence(of wanted: Located<String>) -> Diagnostic? {
    let reference = reference(wanted.value)
    if let found = try? catalogue.facts(for: reference), !found.isEmpty { return nil }
    _ = facts(for: reference, written: wanted)
    return diagnostics.diagnostics.last
  }

  /// Returns the reference that a text means, with the absolute path of a bundle or a rack file.
  func reference(_ text: String) -> UnitReference {
    var reference = UnitReference(text)
    reference.path = reference.path.map(resolved)
    return reference
  }

  private func facts(for reference: UnitReference, written: Located<String>) -> UnitFacts? {
    let facts = diagnostics.value(of: written) { text throws(Refusal) -> UnitFacts in
      let found: [UnitFacts]
      do {
        found = try catalogue.facts(for: reference)
      } catch {
        throw Refusal("“\(text)” cannot be used: \(error)")
      }
      if let facts = found.first, found.count == 1 { return facts }
      if found.isEmpty { throw absent(reference, text) }
      let names = found.map(\.component.description).sorted()
      let listed = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", ..." : "")
      throw Refusal("“\(text)” fits \(found.count) units: \(listed); name one of them")
    }
    return facts
  }

  private func absent(_ reference: UnitReference, _ text: String) -> Refusal {
    let others = catalogue.knownFacts
    if reference.version != nil {
      var newest = reference
      newest.version = nil
      newest.version = newest.choose(from: others).first?.version
      if newest.version != nil {
        return Refusal("“\(text)” is not there in that version", suggestion: "\(newest)")
      }
    }
    let known = others.flatMap { [$0.component.description, $0.name] }
    return Refusal(
      "there is no unit “\(text)”; “backline units” lists all units",
      suggestion: nearestWord(to: text, in: known))
  }

  private func inputBusCount(_ entry: Rack.Unit, of facts: UnitFacts) -> Int {
    let declared = facts.inputBusses.count
    guard let asked = entry.inputs, asked.value != declared else { return declared }
    guard facts.canAddInputBusses else {
      diagnostics.error(
        asked.position,
        "“\(facts.name)” has \(numbered(declared, "input")), which cannot be changed")
      return declared
    }
    let maximum = facts.maximumInputBusCount
    if !(declared...maximum).contains(asked.value) {
      diagnostics.error(
        asked.position,
        "“\(facts.name)” takes \(declared) to \(maximum) inputs, not \(asked.value)")
    }
    // The number is clamped, so that cables to the other inputs are not reported as well.
    return min(max(asked.value, declared), maximum)
  }

  private func preset(_ wanted: Located<String>, of facts: UnitFacts) -> UnitState? {
    if let preset = facts.factoryPreset(named: wanted.value) {
      return UnitState(facts, preset: preset)
    }
    let others = checker.presets(facts)
    if let preset = others.first(where: { $0.presetName == wanted.value }) { return preset }
    let absence = checker.absence(ofPreset: wanted.value, of: facts)
    diagnostics.warning(
      wanted.position, "\(absence.reason); the values of the rack play",
      suggestion: absence.suggestion)
    return nil
  }

  /// Returns the preset's values, overridden by those of the file, in order of address.
  private func parameters(
    _ entry: Rack.Unit, _ preset: UnitState?, of facts: UnitFacts, inputBusCount: Int
  ) -> [PlannedParameter] {
    var values = preset?.values(for: facts, inputBusCount: inputBusCount) ?? [:]
    var firstLines: [UInt64: Int] = [:]
    for (key, value) in entry.parameters.map({ ($0.key, $0.value) }) {
      guard let parameter = facts.parameter(atKeyPath: key.value, inputBusCount: inputBusCount)
      else {
        reportUnknown(key, of: facts, inputBusCount: inputBusCount)
        continue
      }
      if let line = firstLines[parameter.address] {
        diagnostics.error(
          key.position, "“\(key.value)” is given twice, first on line \(line)")
        continue
      }
      firstLines[parameter.address] = key.position.line
      guard parameter.info.isStored else {
        let reason =
          parameter.info.isMomentary ? "is a button, and has no value" : "can be read, but not set"
        diagnostics.error(key.position, "“\(key.value)” \(reason)")
        continue
      }
      let number = diagnostics.value(of: value) { text throws(Refusal) in
        try Quantity.parse(text, for: parameter.info, name: key.value)
      }
      if let number { values[parameter.address] = number }
    }
    return facts.plannedParameters(values)
  }

  private func reportUnknown(_ key: Located<String>, of facts: UnitFacts, inputBusCount: Int) {
    if facts.properties.contains(where: { $0.identifier == key.value }) {
      diagnostics.error(
        key.position, "“\(key.value)” is a property; write it under “properties”")
      return
    }
    let known = facts.allParameters(inputBusCount: inputBusCount).map(\.keyPath)
    // The last part of a key path suggests the first parameter that ends with it.
    let likely =
      known.first { $0.hasSuffix(".\(key.value)") } ?? nearestWord(to: key.value, in: known)
    diagnostics.error(
      key.position,
      "“\(facts.name)” has no parameter “\(key.value)”; “backline show \(facts.component)” "
        + "lists its parameters", suggestion: likely)
  }

  /// Returns the preset's properties, overridden by those of the file, in the order of the property table.
  private func properties(
    _ entry: Rack.Unit, _ preset: UnitState?, of facts: UnitFacts, missing: inout [String]
  ) -> [PlannedProperty] {
    let identifiers = facts.properties.map(\.identifier)
    var values: [Int: PlannedProperty] = [:]
    func plan(_ index: Int, _ value: String?, at position: SourcePosition?) {
      let origin = diagnostics.file.isEmpty ? nil : position.map { (diagnostics.file, $0) }
      values[index] = value.map { PlannedProperty(index: index, value: $0, origin: origin) }
    }
    for (index, identifier) in identifiers.enumerated() {
      plan(index, preset?.properties[identifier], at: entry.preset?.position)
    }
    for setting in entry.properties {
      guard let index = identifiers.firstIndex(of: setting.key.value) else {
        let known = identifiers.isEmpty ? "none" : identifiers.joined(separator: ", ")
        diagnostics.error(
          setting.key.position,
          "“\(facts.name)” has no property “\(setting.key.value)”; it has \(known)",
          suggestion: nearestWord(to: setting.key.value, in: identifiers))
        continue
      }
      let property = facts.properties[index]
      let value =
        property.kind == .dataFile
        ? resolved(setting.value.value)
        : property.isPath
          ? file(setting.value, of: entry.name.value, missing: &missing) : setting.value.value
      plan(index, value, at: setting.value.position)
    }
    return values.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the absolute path of a file; nil where the file is missing, which is reported.
  private func file(
    _ written: Located<String>, of unit: String, missing: inout [String]
  ) -> String? {
    let path = resolved(written.value)
    if checker.fileExists(path) { return path }
    missing.append(path)
    let problem = "there is no file “\(path)”"
    if checker.allowsMissingFiles {
      diagnostics.warning(written.position, "\(problem); “\(unit)” plays without it")
    } else {
      diagnostics.error(written.position, problem)
    }
    return nil
  }

  private func resolved(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return checker.folder.hasSuffix("/")
      ? checker.folder + relative : "\(checker.folder)/\(relative)"
  }

  // MARK: - Processes

  /// Returns the absolute paths that the unit may read. A missing path is only a warning.
  private func grantedFiles(_ entry: Rack.Unit) -> [String] {
    for file in entry.files
    where !checker.fileExists(resolved(file.value)) && !Folder.isThere(resolved(file.value)) {
      diagnostics.warning(
        file.position,
        "there is no “\(resolved(file.value))” for “\(entry.name.value)” to read")
    }
    return entry.files.map { resolved($0.value) }
  }

  private func checkConsent(of unit: ResolvedUnit) {
    guard let process = unit.entry.process, process.value == .host, let reference = unit.reference,
      let manifest = catalogue.manifestWithoutConsent(of: reference)
    else { return }
    diagnostics.error(
      process.position,
      "“\(unit.name)” cannot run in the host's process, for its manifest does not allow it: write "
        + "“in_process: true” into \(manifest), or here “process: own”")
  }

  private func checkPipeline(of unit: ResolvedUnit) {
    guard let pipelined = unit.entry.isPipelined, pipelined.value else { return }
    let written = unit.entry.process?.value
    guard (written ?? unit.reference.map(catalogue.defaultProcess)) == .host else { return }
    diagnostics.error(
      pipelined.position,
      "“pipeline” needs a process other than the host's, in which “\(unit.name)” runs"
        + (written == nil ? " by default" : "") + "; write “process: own” for it")
  }
}
