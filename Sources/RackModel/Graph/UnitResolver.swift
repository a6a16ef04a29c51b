import Documents
import UnitModel

/// Finds a file's unit in the catalogue, and its presets, parameters and properties in the unit.
struct UnitResolver {
  let catalogue: any UnitDirectory
  let folder: String
  let presets: (UnitFacts) -> [UnitState]
  let fileExists: (String) -> Bool
  let allowsMissingFiles: Bool

  func resolve(_ entry: UnitEntry, diagnostics: inout DiagnosticCollector) -> ResolvedUnit {
    var unit = ResolvedUnit(name: entry.name.value, position: entry.name.position)
    unit.isBypassed = entry.isBypassed
    unit.spills = entry.spills
    unit.channels = entry.channels
    guard let wanted = entry.unit else { return unit }
    var reference = UnitReference(wanted.value)
    if case .bundle(let path) = reference.subject {
      reference.subject = .bundle(path: resolved(path))
    }
    guard let facts = facts(for: reference, written: wanted, diagnostics: &diagnostics) else {
      return unit
    }
    unit.facts = facts
    unit.reference = reference
    unit.inputBusCount = inputBusCount(entry, of: facts, diagnostics: &diagnostics)
    let preset = entry.preset.flatMap { self.preset($0, of: facts, diagnostics: &diagnostics) }
    unit.presetName = preset?.presetName
    let resolver = ParameterResolver(facts: facts, inputBusCount: unit.inputBusCount)
    unit.parameters = resolver.parameters(
      entry.parameters, preset: preset, diagnostics: &diagnostics)
    unit.properties = properties(
      entry.properties, preset: preset, of: facts, name: entry.name.value, diagnostics: &diagnostics
    )
    return unit
  }

  /// Why the catalogue does not have a unit; nil where it has, if perhaps several.
  func absence(
    of wanted: Located<String>, diagnostics: inout DiagnosticCollector
  ) -> Diagnostic? {
    var reference = UnitReference(wanted.value)
    if case .bundle(let path) = reference.subject {
      reference.subject = .bundle(path: resolved(path))
    }
    if let found = try? catalogue.facts(for: reference), !found.isEmpty { return nil }
    _ = facts(for: reference, written: wanted, diagnostics: &diagnostics)
    return diagnostics.diagnostics.first
  }

  private func facts(
    for reference: UnitReference, written wanted: Located<String>,
    diagnostics: inout DiagnosticCollector
  ) -> UnitFacts? {
    let found: [UnitFacts]
    do {
      found = try catalogue.facts(for: reference)
    } catch {
      diagnostics.error(
        wanted.position, "“\(wanted.value)” cannot be used: \(Self.reason(error, for: reference))")
      return nil
    }
    if found.count > 1 {
      let names = found.map(\.component.description).sorted()
      let listed = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", ..." : "")
      diagnostics.error(
        wanted.position, "“\(wanted.value)” fits \(found.count) units: \(listed); name one of them")
    } else if found.isEmpty {
      let others = catalogue.knownFacts
      if reference.version != nil, let version = newest(reference, in: others) {
        diagnostics.error(
          wanted.position, "“\(wanted.value)” is not there in that version",
          suggestion: version)
        return nil
      }
      let known = others.flatMap { [$0.component.description, $0.name] }
      diagnostics.error(
        wanted.position,
        "there is no unit “\(wanted.value)”; “backline units” lists those there are",
        suggestion: nearestWord(to: wanted.value, in: known))
    }
    return found.count == 1 ? found.first : nil
  }

  /// What compilers write, as a part of a sentence: of a folder without a line, and the rest without
  /// the word “error”.
  private static func reason(_ refusal: UnitRefusal, for reference: UnitReference) -> String {
    let text = "\(refusal)"
    if case .bundle(let path) = reference.subject, text.hasPrefix("\(path):1:1: error: ") {
      return String(text.dropFirst("\(path):1:1: error: ".count))
    }
    guard let word = text.firstRange(of: ": error: ") else { return text }
    return text[..<word.lowerBound] + ": " + text[word.upperBound...]
  }

  /// The same unit in the version that there is.
  private func newest(_ reference: UnitReference, in others: [UnitFacts]) -> String? {
    var reference = reference
    reference.version = nil
    guard let version = reference.choose(from: others).first?.version else { return nil }
    reference.version = version
    return "\(reference)"
  }

  private func inputBusCount(
    _ entry: UnitEntry, of facts: UnitFacts, diagnostics: inout DiagnosticCollector
  ) -> Int {
    let declared = facts.inputBusses.count
    guard let asked = entry.inputs, asked.value != declared else { return declared }
    guard facts.canAddInputBusses else {
      diagnostics.error(
        asked.position,
        "“\(facts.component)” has \(numbered(declared, "input")), which "
          + "cannot be changed")
      return declared
    }
    guard (declared...facts.maximumInputBusCount).contains(asked.value) else {
      diagnostics.error(
        asked.position,
        "“\(facts.component)” takes \(declared) to \(facts.maximumInputBusCount) "
          + "inputs, not \(asked.value)")
      // The rest of the file is read as it was meant.
      return min(max(asked.value, declared), facts.maximumInputBusCount)
    }
    return asked.value
  }

  private func preset(
    _ wanted: Located<String>, of facts: UnitFacts, diagnostics: inout DiagnosticCollector
  ) -> UnitState? {
    if let preset = facts.factoryPreset(named: wanted.value) {
      return UnitState(facts, values: preset.values, presetName: preset.name)
    }
    let others = presets(facts)
    if let preset = others.first(where: { $0.presetName == wanted.value }) { return preset }
    let names = facts.factoryPresets.map(\.name) + others.compactMap(\.presetName)
    let choice =
      names.isEmpty
      ? "it has none" : "“backline preset list \(facts.component)” lists those there are"
    diagnostics.error(
      wanted.position, "“\(facts.component)” has no preset “\(wanted.value)”; \(choice)",
      suggestion: nearestWord(to: wanted.value, in: names))
    return nil
  }

  /// The preset's properties, overlaid by those of the file.
  private func properties(
    _ entries: [SettingEntry], preset: UnitState?, of facts: UnitFacts, name: String,
    diagnostics: inout DiagnosticCollector
  ) -> [PlannedProperty] {
    var planned = facts.properties.indices.compactMap { index -> PlannedProperty? in
      let identifier = facts.properties[index].identifier
      guard !entries.contains(where: { $0.key.value == identifier }) else { return nil }
      return preset?.properties[identifier].map { PlannedProperty(index: index, value: $0) }
    }
    for entry in entries {
      let identifiers = facts.properties.map(\.identifier)
      guard let index = identifiers.firstIndex(of: entry.key.value) else {
        let known = identifiers.isEmpty ? "none" : identifiers.joined(separator: ", ")
        diagnostics.error(
          entry.key.position,
          "“\(facts.component)” has no property “\(entry.key.value)”; it has \(known)",
          suggestion: nearestWord(to: entry.key.value, in: identifiers))
        continue
      }
      var value = entry.value.value
      if facts.properties[index].isPath {
        value = resolved(value)
        if !fileExists(value) {
          let problem = "there is no file “\(value)”"
          guard allowsMissingFiles else {
            diagnostics.error(entry.value.position, problem)
            continue
          }
          diagnostics.warning(
            entry.value.position, "\(problem); “\(name)” plays without it")
          planned.removeAll { $0.index == index }
          continue
        }
      }
      planned.append(PlannedProperty(index: index, value: value))
    }
    return planned.sorted { $0.index < $1.index }
  }

  func resolved(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return folder.hasSuffix("/") ? folder + relative : "\(folder)/\(relative)"
  }
}
