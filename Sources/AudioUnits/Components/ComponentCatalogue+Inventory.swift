import UnitModel

extension ComponentCatalogue {
  typealias Inventory = (components: [Component], refused: [RefusedBundle])

  /// Reads every manifest and library that has not been read, away from the caller's thread.
  ///
  /// In small parts, so that others who ask meanwhile get their answers.
  public func scan() async { await scan(nil) }

  func scan(_ chosen: [UnitBundle]?) async {
    await withCheckedContinuation { continuation in
      scanning.async { [self] in
        let bundles = chosen ?? store.withLock { $0.bundles() }
        for start in stride(from: 0, to: bundles.count, by: Self.part) {
          inspect(Array(bundles[start..<min(start + Self.part, bundles.count)]))
        }
        store.withLock { $0.settle($0.bundles()) }
        continuation.resume()
      }
    }
  }

  private static let part = 128

  /// Everything there is.
  func inventory() -> Inventory {
    inventory(of: store.withLock { $0.bundles() }) { _, _ in true }
  }

  /// The units that come with Backline and those of `bundles` that are `wanted`; only of these are
  /// the libraries read.
  func inventory(
    of bundles: [UnitBundle], wanted: (ComponentDescription, String) -> Bool
  ) -> Inventory {
    let wantedBundles = bundles.filter { bundle in
      let record = store.withLock { $0.examine(bundle) }
      guard let component = record.component, let name = record.name else { return true }
      return wanted(component, name)
    }
    inspect(wantedBundles)
    let all = store.withLock { $0.bundles() }
    return store.withLock { store in
      store.settle(all)
      var claims: [Claim: String] = [:]
      var components = builtInComponents
      var refused: [RefusedBundle] = []
      for component in components { claims[Claim(component.facts)] = "Backline itself" }
      for bundle in wantedBundles {
        guard let component = component(of: bundle, in: &store) else {
          guard let record = store.record(of: bundle), !record.problems.isEmpty else { continue }
          refused.append(RefusedBundle(bundle, record))
          continue
        }
        let claim = Claim(component.facts)
        if let first = claims[claim] {
          refused.append(
            RefusedBundle(
              bundle: bundle,
              problems: [
                "\(bundle.path): it claims to be \(component.component) \(component.versionText),"
                  + " which \(first) is already"
              ], component: component.component, name: component.name))
        } else {
          claims[claim] = bundle.path
          components.append(component)
        }
      }
      components.sort {
        ($0.name, "\($0.component)", $1.version) < ($1.name, "\($1.component)", $0.version)
      }
      return (components, refused)
    }
  }
}

/// What only one bundle can be.
private struct Claim: Hashable {
  let component: ComponentDescription
  let version: UInt32

  init(_ facts: UnitFacts) {
    (component, version) = (facts.component, facts.version)
  }
}
