import Documents
import NIOCore

/// The files of the page, in memory.
struct PageFiles: Sendable {
  struct File: Sendable {
    var contents: ByteBuffer
    var type: String
  }

  /// By path: `/stage.js`.
  private var files: [String: File] = [:]

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]
  private static let mostBytes = 1 << 20

  /// - Throws: `FileError` where the folder has no page.
  init(folder: String) throws {
    for name in Folder.names(in: folder) {
      guard let type = name.split(separator: ".").last.flatMap({ Self.types[String($0)] }) else {
        continue
      }
      let bytes = try WholeFile.read("\(folder)/\(name)", limit: Self.mostBytes)
      files["/\(name)"] = File(contents: ByteBuffer(bytes: bytes), type: type)
    }
    guard let index = files["/index.html"] else {
      throw FileError(path: folder, reason: "it has no index.html")
    }
    files["/"] = index
  }

  subscript(path: String) -> File? { files[path] }
}
