import Documents
import UnitModel

/// Merges the facts of a bundle's manifest and of its library.
enum BundleFacts {
  /// Returns the unit's merged facts.
  ///
  /// - Throws: `BundleFault` with every disagreement between the manifest and the library.
  static func facts(
    _ manifest: UnitManifest, presets: [ManifestPreset], units: [UnitFacts], bundle: UnitBundle
  ) throws(BundleFault) -> UnitFacts {
    func disagreement(_ what: String, _ theirs: String, _ ours: String) -> UnitRefusal {
      UnitRefusal(
        "\(bundle.manifestPath) says \(what) “\(theirs)”, \(bundle.libraryPath) says “\(ours)”")
    }
    guard var facts = units.first(where: { $0.component == manifest.component }) else {
      let found = units.map { "\($0.component)" }.joined(separator: ", ")
      throw BundleFault([disagreement("the unit is", "\(manifest.component)", found)])
    }
    var problems: [UnitRefusal] = []
    if facts.version != manifest.version {
      problems.append(
        disagreement(
          "the version is", UnitFacts.written(version: manifest.version), facts.versionText))
    }
    if facts.name != manifest.name {
      problems.append(disagreement("the name is", manifest.name, facts.name))
    }
    if !manifest.manufacturerName.isEmpty, facts.manufacturerName != manifest.manufacturerName {
      problems.append(
        disagreement("the manufacturer is", manifest.manufacturerName, facts.manufacturerName))
    }
    if !manifest.summary.isEmpty { facts.summary = manifest.summary }
    facts.tags = manifest.tags
    let diagnostics = DiagnosticCollector(file: bundle.manifestPath)
    for preset in presets { add(preset, to: &facts, diagnostics: diagnostics) }
    problems += diagnostics.diagnostics.map(UnitRefusal.init)
    guard problems.isEmpty else { throw BundleFault(problems) }
    return facts
  }

  private static func add(
    _ preset: ManifestPreset, to facts: inout UnitFacts, diagnostics: DiagnosticCollector
  ) {
    if facts.factoryPreset(named: preset.name.value) != nil {
      diagnostics.error(
        preset.name.position, "the library has a preset “\(preset.name.value)” already")
      return
    }
    var values: [UInt64: Float] = [:]
    for entry in preset.settings {
      guard
        let parameter = facts.parameter(
          atKeyPath: entry.key.value, inputBusCount: facts.maximumInputBusCount)
      else {
        let known = facts.allParameters().map(\.keyPath)
        diagnostics.error(
          entry.key.position, "the unit has no parameter “\(entry.key.value)”",
          suggestion: nearestWord(to: entry.key.value, in: known))
        continue
      }
      values[parameter.address] = diagnostics.value(of: entry.value) { text throws(Refusal) in
        try Quantity.parse(text, for: parameter.info, name: entry.key.value)
      }
    }
    facts.factoryPresets.append(FactoryPreset(name: preset.name.value, values: values))
  }
}

/// The reasons why a bundle cannot be used, one per line.
package struct BundleFault: Error, Sendable, Hashable, CustomStringConvertible {
  package var problems: [UnitRefusal]
  /// Whether the fault may be gone in the next run; such a fault is not cached.
  var isTransient = false
  package var description: String { problems.map(\.description).joined(separator: "\n") }

  init(_ problems: [UnitRefusal]) { self.problems = problems }

  package init(_ problem: String, isTransient: Bool = false) {
    problems = [UnitRefusal(problem)]
    self.isTransient = isTransient
  }
}
