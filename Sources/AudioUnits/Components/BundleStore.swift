import Documents
import UnitModel

/// The bundles of several folders, with their records.
struct BundleStore: Sendable {
  /// The folders of bundles, in order of precedence.
  var folders: [String]
  /// The bundles named by their paths, which precede all others.
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

  /// Every bundle that exists now, in order of precedence.
  func bundles() -> [UnitBundle] {
    var seen: Set<String> = []
    return (additionalBundles + folders.flatMap(UnitFolders.bundles))
      .filter { seen.insert($0.path).inserted }
  }

  /// Returns the record, of the current or an earlier state of the bundle's files.
  func record(of bundle: UnitBundle) -> BundleRecord? { records[bundle.path] }

  /// Returns the record if it matches the current manifest, whatever the library's state.
  mutating func recordOfPresentManifest(of bundle: UnitBundle) -> BundleRecord? {
    loadCache()
    return records[bundle.path].flatMap {
      FileStamp(bundle.manifestPath) == $0.manifestStamp ? $0 : nil
    }
  }

  /// Reads the manifest, unless the record is up to date.
  @discardableResult
  mutating func examine(_ bundle: UnitBundle) -> BundleRecord {
    loadCache()
    if let record = records[bundle.path], record.isUpToDate(bundle) { return record }
    let record = BundleRecord(bundle)
    records[bundle.path] = record
    isIndexOld = true
    return record
  }

  /// Returns the facts of a bundle; nil if its library has not been read, or it cannot be used.
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

  /// Stores the result of reading a bundle's library, if the files have not changed since.
  mutating func record(
    _ result: Result<UnitFacts, BundleFault>, of bundle: UnitBundle, as read: BundleRecord
  ) {
    guard var record = records[bundle.path], record.manifestStamp == read.manifestStamp,
      record.libraryStamp == read.libraryStamp, record.isUpToDate(bundle)
    else { return }
    record.apply(result)
    records[bundle.path] = record
    isIndexOld = true
    if let facts = record.facts { cache?.save(facts, of: bundle.path, record) }
  }

  /// Drops the records of deleted bundles, and saves the others in the cache.
  mutating func update(present: [UnitBundle]) {
    let paths = Set(present.map(\.path))
    for path in records.keys
    where !paths.contains(path) && folders.contains(FilePath.folder(of: path)) {
      records[path] = nil
      isIndexOld = true
    }
    guard isIndexOld, let cache else { return }
    cache.save(records.filter { !$0.value.isTransient })
    isIndexOld = false
  }

  private mutating func loadCache() {
    guard !hasLoadedCache else { return }
    hasLoadedCache = true
    for (path, record) in cache?.load() ?? [:] where records[path] == nil {
      records[path] = record
    }
  }
}
