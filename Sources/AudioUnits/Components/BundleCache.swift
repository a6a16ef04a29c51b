import CUnit
import UnitModel

/// Facts of bundles cached by earlier runs.
struct BundleCache: Sendable {
  private let folder: String

  init(folder: String) { self.folder = "\(folder)/units" }

  private struct Index: Codable {
    var format: String
    var bundles: [String: BundleRecord]
  }

  private struct Facts: Codable {
    var format: String
    var path: String
    var manifestStamp: FileStamp?
    var libraryStamp: FileStamp?
    var facts: UnitFacts
  }

  /// The cache's format number; raise it when the content of these files or the checks of bundles
  /// change.
  private static let format = "4, ABI \(BL_ABI_VERSION)"

  private var indexPath: String { "\(folder)/index.json" }
  private func factsPath(of path: String) -> String {
    "\(folder)/facts/\(CacheFile.name(for: path))"
  }

  func load() -> [String: BundleRecord] {
    let index: Index? = CacheFile.read(indexPath)
    return index?.format == Self.format ? index?.bundles ?? [:] : [:]
  }

  /// Writes the cache. Errors are ignored: without a cache, bundles are read again.
  func save(_ bundles: [String: BundleRecord]) {
    try? CacheFile.write(Index(format: Self.format, bundles: bundles), to: indexPath)
  }

  /// Returns the facts of a bundle whose record is up to date.
  func facts(of path: String, _ record: BundleRecord) -> UnitFacts? {
    guard let stored: Facts = CacheFile.read(factsPath(of: path)),
      stored.format == Self.format, stored.path == path,
      stored.manifestStamp == record.manifestStamp, stored.libraryStamp == record.libraryStamp
    else { return nil }
    return stored.facts
  }

  func save(_ facts: UnitFacts, of path: String, _ record: BundleRecord) {
    let stored = Facts(
      format: Self.format, path: path, manifestStamp: record.manifestStamp,
      libraryStamp: record.libraryStamp, facts: facts)
    try? CacheFile.write(stored, to: factsPath(of: path))
  }
}
