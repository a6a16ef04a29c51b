import CUnit
import Documents
import FoundationEssentials
import UnitModel

/// Facts of bundles from earlier runs. A cache that cannot be read counts as empty.
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

  /// Its number rises with the content of these files, and with the checks of bundles.
  private static let format = "2, ABI \(BL_ABI_VERSION)"
  private static let mostBytes = 1 << 26

  func load() -> [String: BundleRecord] {
    guard let bytes = try? WholeFile.read("\(folder)/index.json", limit: Self.mostBytes),
      let index = try? JSONDecoder().decode(Index.self, from: Data(bytes)),
      index.format == Self.format
    else { return [:] }
    return index.bundles
  }

  func save(_ bundles: [String: BundleRecord]) {
    guard let data = try? JSONEncoder().encode(Index(format: Self.format, bundles: bundles))
    else { return }
    write(data, to: "\(folder)/index.json")
  }

  /// The facts of a bundle whose record is up to date.
  func facts(of path: String, _ record: BundleRecord) -> UnitFacts? {
    guard let bytes = try? WholeFile.read(place(of: path), limit: Self.mostBytes),
      let stored = try? LibraryInspection.decoder.decode(Facts.self, from: Data(bytes)),
      stored.format == Self.format, stored.path == path,
      stored.manifestStamp == record.manifestStamp, stored.libraryStamp == record.libraryStamp
    else { return nil }
    return stored.facts
  }

  func save(_ facts: UnitFacts, of path: String, _ record: BundleRecord) {
    let stored = Facts(
      format: Self.format, path: path, manifestStamp: record.manifestStamp,
      libraryStamp: record.libraryStamp, facts: facts)
    guard let data = try? LibraryInspection.coder.encode(stored) else { return }
    write(data, to: place(of: path))
  }

  private func place(of path: String) -> String { "\(folder)/facts/\(path.fileNameHash).json" }

  /// Errors are ignored: without a cache, bundles are read again.
  private func write(_ data: Data, to path: String) {
    try? Folder.make("\(folder)/facts")
    try? WholeFile.write(data, to: path, durably: false)
  }
}

extension String {
  /// A file name for any text (FNV-1a, 64 bits: Fowler, Noll, Vo, 1991).
  var fileNameHash: String {
    let hash = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
