import Documents
import FoundationEssentials
import NIOCore

/// The files of the page, in memory.
struct PageFiles: Sendable {
  struct File: Sendable {
    var contents: ByteBuffer
    var type: String
  }

  /// The files by path: `/stage.js`, `/views/aufx-eqpm-bkln/index.html`.
  private var files: [String: File] = [:]

  static let maximumBytes = 1 << 20

  /// Returns the media type of a file; nil for kinds of files that are not served.
  static func type(of name: String) -> String? {
    name.split(separator: ".").last.flatMap { types[String($0)] }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "woff2": "font/woff2",
  ]

  /// Reads the files of a folder.
  ///
  /// - Throws: an error if the folder contains no page, or a table of faces that cannot be read.
  init(folder: String) throws {
    try read(folder, as: "", depth: 0)
    guard let index = files["/index.html"] else {
      throw FileError(path: folder, reason: "it has no index.html")
    }
    files["/"] = index
    try addFaces(in: "\(folder)/views")
  }

  /// Adds the faces of built-in units: `face.html` with the script that `faces.json` names for the unit.
  private mutating func addFaces(in folder: String) throws {
    guard let page = files["/views/face.html"] else { return }
    let table = try WholeFile.read("\(folder)/faces.json", limit: Self.maximumBytes)
    let scripts = try JSONDecoder().decode([String: String].self, from: Data(table))
    let text = String(buffer: page.contents)
    for (unit, script) in scripts {
      let face = text.replacing("FACE", with: script)
      files["/views/\(unit)/index.html"] = File(contents: ByteBuffer(string: face), type: page.type)
    }
  }

  /// Reads the page's own files, its views, and the views' files.
  private mutating func read(_ folder: String, as path: String, depth: Int) throws {
    for name in Folder.names(in: folder) {
      let place = "\(folder)/\(name)"
      if !name.contains("."), depth < 2 {
        try read(place, as: "\(path)/\(name)", depth: depth + 1)
      } else if let type = Self.type(of: name) {
        let bytes = try WholeFile.read(place, limit: Self.maximumBytes)
        files["\(path)/\(name)"] = File(contents: ByteBuffer(bytes: bytes), type: type)
      }
    }
  }

  subscript(path: String) -> File? { files[path] }
}
