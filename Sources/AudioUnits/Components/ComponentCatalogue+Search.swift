import CSystem
import Documents
import UnitModel

extension ComponentCatalogue {
  /// Every unit in every version, in order of name; the highest version of each first.
  public var components: [Component] { inventory().components }

  /// Every bundle that cannot be used, with what is wrong.
  public var refusedBundles: [RefusedBundle] { inventory().refused }

  /// Each unit in its highest version, in order of name.
  public var facts: [UnitFacts] {
    components.map(\.facts).inVersion(nil, of: \.component, version: \.version)
  }

  /// The units that a description stands for; its wildcards fit any code.
  ///
  /// - Parameter version: nil for the highest of each.
  public func components(
    matching description: ComponentDescription, version: UInt32? = nil
  ) -> [Component] {
    (try? components(for: UnitReference(.component(description), version: version))) ?? []
  }

  /// The units for which `predicate` holds, in every version.
  public func components(where predicate: (Component) throws -> Bool) rethrows -> [Component] {
    try components.filter(predicate)
  }

  /// The units with a tag, be it their own or the user's, whatever its case.
  public func components(tagged tag: String) -> [Component] {
    components.filter { $0.hasTag(tag) }
  }

  /// The units that are meant; a bundle that is named by its path may lie anywhere.
  ///
  /// Looks only at bundles that could be meant.
  ///
  /// - Throws: `UnitRefusal` where what is meant is there and cannot be used.
  public func components(for reference: UnitReference) throws(UnitRefusal) -> [Component] {
    if case .bundle(let path) = reference.subject {
      return [try component(at: UnitBundle(path: path))]
    }
    let bundles = candidates(for: reference)
    let (found, refused) = inventory(of: bundles) { component, name in
      reference.names(component, called: name)
    }
    let chosen = found.filter { reference.names($0.component, called: $0.name) }
      .inVersion(reference.version, of: \.component, version: \.version)
    let culprit = refused.first { bundle in
      reference.names(
        bundle.component ?? ComponentDescription(),
        called: bundle.name ?? "")
    }
    if chosen.isEmpty, let culprit, !hasWildcard(reference) { throw UnitRefusal(culprit) }
    return chosen
  }

  private func component(at bundle: UnitBundle) throws(UnitRefusal) -> Component {
    inspect([bundle])
    let (component, record) = store.withLock { store in
      (self.component(of: bundle, in: &store), store.record(of: bundle))
    }
    if let component { return component }
    throw UnitRefusal(
      record.map { RefusedBundle(bundle, $0) } ?? RefusedBundle(bundle: bundle, problems: []))
  }

  private func hasWildcard(_ reference: UnitReference) -> Bool {
    if case .component(let description) = reference.subject { return description.hasWildcard }
    return false
  }

  /// The bundles that could be meant: those that are known, and those in whose manifest stands what
  /// is looked for.
  private func candidates(for reference: UnitReference) -> [UnitBundle] {
    let word: String?
    switch reference.subject {
    case .component(let wanted) where !wanted.subtype.isWildcard: word = "\(wanted.subtype)"
    case .name(let name) where name.utf8.allSatisfy({ $0 < 128 && $0 != UInt8(ascii: "'") }):
      word = name
    default: word = nil
    }
    return store.withLock { store in
      store.bundles().filter { bundle in
        if let record = store.recordOfPresentManifest(of: bundle) {
          guard let component = record.component, let name = record.name else { return true }
          return reference.names(component, called: name)
        }
        return word.map { manifest(of: bundle, mentions: $0) } ?? true
      }
    }
  }

  /// Far quicker than reading it; only a manifest that writes letters as escapes is overlooked until
  /// it has been scanned.
  private func manifest(of bundle: UnitBundle, mentions word: String) -> Bool {
    let limit = UnitManifestReader.kind.maximumSize
    guard let bytes = try? WholeFile.read(bundle.manifestPath, limit: limit) else { return false }
    return bytes.withUnsafeBytes { bytes in
      Array(word.utf8).withUnsafeBytes { word in
        bl_memory_find(bytes.baseAddress, bytes.count, word.baseAddress, word.count) != nil
      }
    }
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

  /// Of bundles that have been looked at, as much as their manifests say.
  public var knownFacts: [UnitFacts] {
    let bundles = store.withLock { store in
      store.bundles().compactMap { bundle in
        store.record(of: bundle).flatMap { $0.facts ?? $0.manifest?.facts }
      }
    }
    return builtInComponents.map(\.facts) + bundles
  }
}

extension UnitRefusal {
  init(_ refused: RefusedBundle) {
    let more = refused.problems.count - 1
    self.init(
      (refused.problems.first ?? "\(refused.bundle.path): it cannot be used")
        + (more > 0 ? " (and \(more) more; “backline units --refused” lists them)" : ""))
  }
}
