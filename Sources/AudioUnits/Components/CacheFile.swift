import Documents
import FoundationEssentials

/// JSON files in a cache folder; a file that cannot be read counts as missing.
enum CacheFile {
  static func read<Value: Decodable>(_ path: String) -> Value? {
    guard let bytes = try? WholeFile.read(path, limit: 1 << 26) else { return nil }
    return try? decoder.decode(Value.self, from: Data(bytes))
  }

  /// Writes a value to a file.
  ///
  /// - Throws: `FileError`
  static func write(_ value: some Encodable, to path: String) throws {
    try Folder.make(FilePath.folder(of: path))
    try WholeFile.write(try encoder.encode(value), to: path, durably: false)
  }

  /// Returns a file name for any text (FNV-1a, 64 bits: Fowler, Noll, Vo, 1991).
  static func name(for text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return "\(String(hash, radix: 16)).json"
  }

  /// The encoder of cache files; it can write infinity and NaN.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
