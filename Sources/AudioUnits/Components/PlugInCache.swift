import Documents
import FoundationEssentials

/// The cached records of the plug-ins in these folders: a file with a header and a line for each
/// plug-in. There are hundreds, of which a rack uses a few, so a line is parsed on demand.
struct PlugInCache {
  /// The cache's format number; raise it when the file's content or the mapping of plug-ins to
  /// units changes.
  private static let format = "9"
  private static let longest = 1 << 28

  private struct Head: Codable, Equatable {
    var format: String
    var stamp: [String: FileStamp]
  }

  private var lines: [String: ArraySlice<UInt8>] = [:]
  private var read: [String: PlugInRecord] = [:]
  /// Whether the cache covers all installed plug-ins.
  private(set) var isComplete = false

  var names: [String] { Set(lines.keys).union(read.keys).sorted() }

  subscript(name: String) -> PlugInRecord? {
    mutating get {
      if read[name] == nil, let line = lines[name] {
        read[name] = try? CacheFile.decoder.decode(PlugInRecord.self, from: Data(line))
      }
      return read[name]
    }
    set { read[name] = newValue }
  }

  /// Loads the file; it is ignored if the folders have changed since it was written.
  mutating func load(_ file: String, for folders: PlugInFolders) {
    guard let bytes = try? WholeFile.read(file, limit: Self.longest) else { return }
    let all = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = all.first,
      (try? CacheFile.decoder.decode(Head.self, from: Data(first))) == Self.head(of: folders)
    else { return }
    for line in all.dropFirst() {
      guard let end = line.firstIndex(of: UInt8(ascii: "\t")) else { return }
      lines[String(decoding: line[..<end], as: UTF8.self)] = line[(end + 1)...]
    }
    isComplete = true
  }

  /// Replaces all records, and writes the file.
  mutating func store(_ records: [PlugInRecord], in file: String, for folders: PlugInFolders) {
    read = Dictionary(records.map { ($0.name, $0) }) { first, _ in first }
    (lines, isComplete) = ([:], true)
    guard var bytes = try? Array(CacheFile.encoder.encode(Self.head(of: folders))) else { return }
    for record in records {
      guard let line = try? CacheFile.encoder.encode(record) else { return }
      bytes += Array("\n\(record.name)\t".utf8) + line
    }
    try? Folder.make(FilePlace.split(file).folder)
    try? WholeFile.write(bytes, to: file, durably: false)
  }

  private static func head(of folders: PlugInFolders) -> Head {
    Head(format: format, stamp: folders.stamp)
  }
}
