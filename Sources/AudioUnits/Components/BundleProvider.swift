import AsyncSupport
import CLinux
import Dispatch
import Documents
import UnitModel

/// The units in bundles. No code of a bundle runs in this program before its unit is instantiated.
final class BundleProvider: ComponentProvider {
  let name = "bundles"
  let store: Guarded<BundleStore>
  private let inspector: LibraryInspector?
  private let scanning = DispatchQueue(label: "backline.catalogue", qos: .utility)

  init(_ store: BundleStore, inspector: LibraryInspector?) {
    self.store = Guarded(store)
    self.inspector = inspector
  }

  func inventory(for reference: UnitReference?) -> ComponentInventory {
    if case .component(let wanted)? = reference?.subject, wanted.plugIn != nil { return .init() }
    let bundles = reference.map(candidates) ?? store.withLock { $0.bundles() }
    let wanted = bundles.filter { bundle in
      let record = store.withLock { $0.examine(bundle) }
      guard let component = record.component, let name = record.name else { return true }
      return reference?.names(component, called: name) ?? true
    }
    inspect(wanted)
    let all = store.withLock { $0.bundles() }
    store.withLock { $0.update(present: all) }
    return known(wanted)
  }

  /// Returns the components and the faults of bundles that have been read.
  func known(_ bundles: [UnitBundle]) -> ComponentInventory {
    store.withLock { store in
      var inventory = ComponentInventory()
      for bundle in bundles {
        if let component = component(of: bundle, in: &store) {
          inventory.components.append(component)
        } else if let record = store.record(of: bundle), !record.problems.isEmpty {
          inventory.refused.append(RefusedBundle(bundle, record))
        }
      }
      return inventory
    }
  }

  /// Returns the bundle at a path, which may be outside the folders.
  func component(identifiedBy reference: UnitReference) throws(UnitRefusal) -> Component? {
    guard case .bundle(let path) = reference.subject else { return nil }
    let bundle = UnitBundle(path: path)
    inspect([bundle])
    let inventory = known([bundle])
    if let component = inventory.components.first { return component }
    throw UnitRefusal(inventory.refused.first ?? RefusedBundle(bundle: bundle, reasons: []))
  }

  /// The facts from the manifests or libraries of bundles that have been read.
  var knownFacts: [UnitFacts] {
    store.withLock { store in
      store.bundles().compactMap { bundle in
        store.record(of: bundle).flatMap { $0.facts ?? $0.manifest?.facts }
      }
    }
  }

  func scan() async { await scan(nil) }

  /// Reads bundles, all by default, in small batches so that other callers get their answers
  /// meanwhile.
  func scan(_ chosen: [UnitBundle]?) async {
    await withCheckedContinuation { continuation in
      scanning.async { [self] in
        let bundles = chosen ?? store.withLock { $0.bundles() }
        for start in stride(from: 0, to: bundles.count, by: Self.part) {
          inspect(Array(bundles[start..<min(start + Self.part, bundles.count)]))
        }
        store.withLock { $0.update(present: $0.bundles()) }
        continuation.resume()
      }
    }
  }

  private static let part = 128

  /// Puts the bundles of a folder before all others.
  func include(folder: String) {
    let path = UnitBundle(path: folder).path
    store.withLock { store in
      store.folders.removeAll { $0 == path }
      store.folders.insert(path, at: 0)
    }
  }

  /// Returns a bundle's component; nil if it cannot be used, or its library has not been read.
  private func component(of bundle: UnitBundle, in store: inout BundleStore) -> Component? {
    guard let facts = store.facts(of: bundle), let manifest = store.record(of: bundle)?.manifest
    else { return nil }
    return Component(facts, bundle: bundle, manifest: manifest)
  }

  /// Returns the bundles that a reference may mean: those that are known, and those whose manifests
  /// contain the word searched for.
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

  /// Searches a manifest's text, which is far quicker than parsing it; only a manifest that writes
  /// letters as escapes is missed until it has been scanned.
  private func manifest(of bundle: UnitBundle, mentions word: String) -> Bool {
    let limit = ManifestEntry.maximumSize
    guard let bytes = try? WholeFile.read(bundle.manifestPath, limit: limit) else { return false }
    return bytes.withUnsafeBytes { bytes in
      Array(word.utf8).withUnsafeBytes { word in
        bl_memory_find(bytes.baseAddress, bytes.count, word.baseAddress, word.count) != nil
      }
    }
  }

  /// Reads the libraries that have not been read yet, of bundles with valid manifests.
  private func inspect(_ bundles: [UnitBundle]) {
    let unread = store.withLock { store in
      bundles.compactMap { bundle -> (bundle: UnitBundle, record: BundleRecord)? in
        let record = store.examine(bundle)
        guard record.manifest != nil, store.facts(of: bundle) == nil,
          let again = store.record(of: bundle), again.problems.isEmpty
        else { return nil }
        return (bundle, record)
      }
    }
    guard !unread.isEmpty else { return }
    let answers: [Result<[UnitFacts], BundleFault>] =
      inspector?.units(of: unread.map(\.bundle.libraryPath))
      ?? unread.map { _ in
        .failure(
          BundleFault(
            "the program backline, which reads libraries, is neither beside this program nor in"
              + " PATH", isTransient: true))
      }
    for ((bundle, record), answer) in zip(unread, answers) {
      let result = answer.flatMap { units in
        Result { () throws(BundleFault) in
          guard let manifest = record.manifest else { throw BundleFault(record.problems) }
          let presets = UnitManifest.read(bundle).presets
          return try BundleFacts.facts(manifest, presets: presets, units: units, bundle: bundle)
        }
      }
      store.withLock { $0.record(result, of: bundle, as: record) }
    }
  }
}

extension UnitRefusal {
  init(_ diagnostic: Diagnostic) {
    let (line, column) = (diagnostic.position.line, diagnostic.position.column)
    self.init(
      "\(Refusal(diagnostic.message, suggestion: diagnostic.suggestion))",
      at: "\(diagnostic.file):\(line):\(column)")
  }

  init(_ refused: RefusedBundle) {
    self = refused.reasons.first ?? UnitRefusal("\(refused.bundle.path): it cannot be used")
    // This position stands for the whole folder.
    if place == "\(refused.bundle.path):1:1" { place = nil }
    let more = refused.reasons.count - 1
    if more > 0 { reason += " (and \(more) more; “backline units --refused” lists them)" }
  }
}
