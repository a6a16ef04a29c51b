import AsyncSupport
import Documents
import Glibc

/// Replacements of file names on the command line that are not UTF-8, such as those of old disks, which a Swift
/// string cannot contain. Each file has another name while the program runs.
enum ForeignNames {
  private struct State: Sendable {
    /// The folder of links to existing files; nil without links.
    var folder: String?
    var links: [String] = []
    /// The names under which files are written, and their final names.
    var written: [(shown: String, real: [CChar])] = []
  }
  private static let state = Guarded(State())

  /// The words of the command line behind the program's name.
  static var words: [String] {
    (1..<max(Int(CommandLine.argc), 1)).compactMap { CommandLine.unsafeArgv[$0] }.map { word in
      String(validatingCString: word)
        ?? translated(Array(UnsafeBufferPointer(start: word, count: strlen(word))))
    }
  }

  /// Returns a word with its file name replaced, which stands alone or behind `PORT=`.
  private static func translated(_ word: [CChar]) -> String {
    let starts = [0] + word.indices.filter { word[$0] == CChar(UInt8(ascii: "=")) }.map { $0 + 1 }
    let start =
      starts.first { access(Array(word[$0...]) + [0], F_OK) == 0 } ?? starts.prefix(2).last ?? 0
    return text(Array(word[..<start])) + name(for: Array(word[start...]))
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Creates a link to an existing file; returns the name that the program uses.
  private static func name(for file: [CChar]) -> String {
    let (shown, real) = (text(file), file + [0])
    return state.withLock { state in
      if state.folder == nil, state.written.isEmpty { atexit { ForeignNames.finish() } }
      if access(shown, F_OK) != 0 { state.written.append((shown, real)) }
      guard let whole = realpath(real, nil) else { return shown }
      defer { free(whole) }
      let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      var template = Array("\(temporary)/backline.XXXXXX".utf8CString)
      if state.folder == nil { state.folder = mkdtemp(&template).map { String(cString: $0) } }
      guard let folder = state.folder else { return shown }
      let link = "\(folder)/\(state.links.count) \(FilePath.name(of: shown))"
      guard symlink(whole, link) == 0 else { return shown }
      state.links.append(link)
      return link
    }
  }

  /// Renames written files to their final names, and removes the links.
  private static func finish() {
    state.withLock { state in
      for (shown, real) in state.written where access(shown, F_OK) == 0 { rename(shown, real) }
      for link in state.links { unlink(link) }
      if let folder = state.folder { rmdir(folder) }
      state = State()
    }
  }
}
