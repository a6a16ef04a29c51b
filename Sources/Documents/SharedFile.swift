import FoundationEssentials

/// A JSON file in a user folder that several programs change: one at a time, each reading it first.
package struct SharedFile<Content: Codable & Sendable>: Sendable {
  package let path: String
  private let empty: Content
  private static var longest: Int { 1 << 24 }

  /// - Parameter empty: the content if there is no file.
  package init(_ path: String, empty: Content) { (self.path, self.empty) = (path, empty) }

  /// Reads the file.
  ///
  /// - Throws: `FileError` if the file cannot be read, or is damaged.
  package func read() throws(FileError) -> Content {
    guard WholeFile.isThere(path) else { return empty }
    let bytes = try WholeFile.read(path, limit: Self.longest)
    do {
      return try JSONDecoder().decode(Content.self, from: Data(bytes))
    } catch {
      throw FileError(path: path, reason: "is damaged; mend it, or remove it to begin anew")
    }
  }

  /// Changes the content.
  ///
  /// - Throws: `FileError`; the file is then unchanged.
  package func change<Answer>(
    durably: Bool = true, _ body: (inout Content) -> Answer
  ) throws(FileError) -> Answer {
    let folder = FilePath.folder(of: path)
    try Folder.make(folder)
    do {
      return try Folder.locked(folder) {
        var content = try read()
        let answer = body(&content)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try WholeFile.write(Array(try encoder.encode(content)), to: path, durably: durably)
        return answer
      }
    } catch {
      throw error as? FileError ?? FileError(path: path, reason: "\(error)")
    }
  }
}
