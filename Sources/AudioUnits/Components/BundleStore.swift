import UnitModel

/// The bundles of some folders, and what is known of them.
struct BundleStore: Sendable {
  /// What an earlier one has goes before what a later one has.
  var folders: [String]
  /// Named by their paths; they go before all others.
  var additionalBundles: [UnitBundle]
  private let cache: BundleCache?
  private var records: [String: BundleRecord] = [:]
  private var hasLoadedCache = false
  private var isIndexOld = false

  init(folders: [String], bundles: [UnitBundle], cache: BundleCache?) {
    self.folders = folders
    additionalBundles = bundles
    self.cache = cache
  }

  /// Every bundle there is now, in order of precedence.
  func bundles() -> [UnitBundle] {
    var seen: Set<String> = []
    return (additionalBundles + folders.flatMap(UnitFolders.bundles))
      .filter { seen.insert($0.path).inserted }
  }

  /// What is known, of this or an earlier state of the bundle's files.
  func record(of bundle: UnitBundle) -> BundleRecord? { records[bundle.path] }

  /// Its record, if that is of the manifest as it is now, whatever the library is.
  mutating func recordOfPresentManifest(of bundle: UnitBundle) -> BundleRecord? {
    loadCache()
    return records[bundle.path].flatMap {
      FileStamp(bundle.manifestPath) == $0.manifestStamp ? $0 : nil
    }
  }

  /// Reads the manifest, unless what is known is of the files as they are now.
  @discardableResult
  mutating func examine(_ bundle: UnitBundle) -> BundleRecord {
    loadCache()
    if let record = records[bundle.path], record.isUpToDate(bundle) { return record }
    let record = BundleRecord(bundle)
    records[bundle.path] = record
    isIndexOld = true
    return record
  }

  /// The facts of a bundle whose library has been read; nil where it has not, or cannot be used.
  mutating func facts(of bundle: UnitBundle) -> UnitFacts? {
    guard let record = records[bundle.path], record.isInspected, record.problems.isEmpty else {
      return nil
    }
    if let facts = record.facts { return facts }
    guard let facts = cache?.facts(of: bundle.path, record) else {
      records[bundle.path]?.isInspected = false
      return nil
    }
    records[bundle.path]?.facts = facts
    return facts
  }

  /// Takes in what was read of a bundle's library, if the files are still those it was read of.
  mutating func note(
    _ result: Result<UnitFacts, BundleFault>, of bundle: UnitBundle, as read: BundleRecord
  ) {
    guard var record = records[bundle.path], record.manifestStamp == read.manifestStamp,
      record.libraryStamp == read.libraryStamp, record.isUpToDate(bundle)
    else { return }
    record.note(result)
    records[bundle.path] = record
    isIndexOld = true
    if let facts = record.facts { cache?.save(facts, of: bundle.path, record) }
  }

  /// Forgets bundles that are no more, and has the cache remember the rest.
  mutating func settle(_ present: [UnitBundle]) {
    let paths = Set(present.map(\.path))
    for path in records.keys where !paths.contains(path) && isInFolders(path) {
      records[path] = nil
      isIndexOld = true
    }
    guard isIndexOld, let cache else { return }
    cache.save(records.filter { !$0.value.isTransient })
    isIndexOld = false
  }

  private func isInFolders(_ path: String) -> Bool {
    guard let slash = path.lastIndex(of: "/") else { return false }
    return folders.contains(String(path[..<slash]))
  }

  private mutating func loadCache() {
    guard !hasLoadedCache else { return }
    hasLoadedCache = true
    for (path, record) in cache?.load() ?? [:] where records[path] == nil {
      records[path] = record
    }
  }
}
