import Documents
import UnitModel

extension ComponentCatalogue {
  /// Every unit in every version, sorted by name, highest version first.
  public var components: [Component] { inventory().components }

  /// Every bundle that cannot be used, with its reasons.
  public var refusedBundles: [RefusedBundle] { inventory().refused }

  /// Each unit in its highest version, sorted by name.
  package var facts: [UnitFacts] {
    components.map(\.facts).inVersion(nil, of: \.component, version: \.version)
  }

  /// Returns the units that a description matches.
  ///
  /// - Parameter version: the version; nil for the highest of each.
  public func components(
    matching description: ComponentDescription, version: UInt32? = nil
  ) -> [Component] {
    (try? components(for: UnitReference(.component(description), version: version))) ?? []
  }

  /// Returns the units for which `predicate` holds, in every version.
  public func components(where predicate: (Component) throws -> Bool) rethrows -> [Component] {
    try components.filter(predicate)
  }

  /// Returns the units with a tag, their own or the user's, regardless of case.
  public func components(tagged tag: String) -> [Component] {
    components.filter { $0.hasTag(tag) }
  }

  /// Returns the units that a reference means; a bundle named by its path may be in any folder.
  ///
  /// Reads only bundles that the reference could mean.
  ///
  /// - Throws: `UnitRefusal` if the unit exists and cannot be used.
  public func components(for reference: UnitReference) throws(UnitRefusal) -> [Component] {
    for provider in providers {
      if var component = try provider.component(identifiedBy: reference) {
        component.isNamedByPath = component.bundle != nil
        return [tagged(component)]
      }
    }
    let found = inventory(for: reference)
    let chosen = found.components.filter { reference.names($0.component, called: $0.name) }
      .inVersion(reference.version, of: \.component, version: \.version)
    let culprit = found.refused.first { bundle in
      reference.names(bundle.component ?? ComponentDescription(), called: bundle.name ?? "")
    }
    if chosen.isEmpty, let culprit, !reference.hasWildcard { throw UnitRefusal(culprit) }
    return chosen
  }
}

extension ComponentCatalogue: UnitDirectory {
  public func facts(for reference: UnitReference) throws(UnitRefusal) -> [UnitFacts] {
    try components(for: reference).map(\.facts)
  }

  public func manifestWithoutConsent(of reference: UnitReference) -> String? {
    let component = try? components(for: reference).first
    return component.flatMap { $0.allowsInProcess ? nil : $0.bundle?.manifestPath }
  }

  public func defaultProcess(of reference: UnitReference) -> ProcessChoice {
    (try? components(for: reference).first?.defaultProcess) ?? .host
  }

  /// The facts that are known without loading any code.
  public var knownFacts: [UnitFacts] { providers.flatMap(\.knownFacts) }
}
