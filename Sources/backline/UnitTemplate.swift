import AudioUnits
import Documents
import Glibc
import UnitModel

/// The project of a new unit, created from the files in templates/, which are a unit themselves.
struct UnitTemplate {
  enum Kind: String, CaseIterable {
    case effect, instrument, generator
    case musicEffect = "music-effect"
    case midi

    var type: FourCharacterCode {
      switch self {
      case .effect: .effect
      case .instrument: .instrument
      case .generator: .generator
      case .musicEffect: .musicEffect
      case .midi: .midiProcessor
      }
    }

    var tags: String {
      switch self {
      case .effect: "Effects"
      case .instrument: "Synthesizer"
      case .generator: "Synthesizer"
      case .musicEffect: "Effects, MIDI"
      case .midi: "MIDI"
      }
    }
  }

  enum Language: String, CaseIterable {
    case c
    case cPlusPlus = "c++"
  }

  var kind: Kind
  var language: Language
  var name: String
  var subtype: String
  var manufacturer: String
  var manufacturerName: String
  /// Whether the unit has a view.
  var hasView = false

  var component: String { "\(kind.type)/\(subtype)/\(manufacturer)" }

  /// Creates the bundle's folder; returns its path.
  ///
  /// - Throws: `FileError` if the folder exists already or cannot be written; an incomplete folder is removed then.
  func make(in folder: String) throws(FileError) -> String {
    let path = "\(folder == "." ? "./" : "\(folder)/")\(name).unit"
    guard access(path, F_OK) != 0 else {
      throw FileError(path: path, reason: "it exists already, and stays as it is")
    }
    let files = try files()
    let temporary = "\(folder)/.\(name).unit.\(getpid())"
    if let error = Self.write(files, to: temporary, then: path) {
      for (name, _) in files { unlink("\(temporary)/\(name)") }
      for name in ["include/backline", "include", "view", ""] { rmdir("\(temporary)/\(name)") }
      throw error
    }
    return path
  }

  private static func write(
    _ files: [(name: String, text: String)], to folder: String, then path: String
  ) -> FileError? {
    do {
      try Folder.make("\(folder)/include/backline")
      if files.contains(where: { $0.name.hasPrefix("view/") }) { try Folder.make("\(folder)/view") }
      for file in files {
        try WholeFile.write(Array(file.text.utf8), to: "\(folder)/\(file.name)", durably: false)
      }
    } catch {
      return error
    }
    return rename(folder, path) == 0 ? nil : FileError(path: path)
  }

  /// Returns the name and text of every file of the project.
  private func files() throws(FileError) -> [(name: String, text: String)] {
    let source = language == .c ? "unit.c" : "unit.cpp"
    var files = [
      (source, try template("\(kind.rawValue).c")), ("unit.yaml", try template("unit.yaml")),
      ("Makefile", try template("Makefile")), ("test.c", try template("test.c")),
      (".gitignore", "*-linux/\n"),
    ]
    if hasView {
      files[1].1 += "view: view/index.html\n"
      for name in ["index.html", "view.css", "view.js"] {
        files.append(("view/\(name)", try template("view/\(name)")))
      }
    }
    let headers = try headerFolder()
    for name in Folder.names(in: headers) where name.hasSuffix(".h") {
      files.append(("include/backline/\(name)", try read("\(headers)/\(name)")))
    }
    return files
  }

  /// Returns a file of templates/ with the template's names replaced by this unit's names.
  private func template(_ file: String) throws(FileError) -> String {
    guard let path = DataFolder.find("templates/\(file)") else {
      throw missing("templates/\(file)")
    }
    var replacements = [
      ("\"Template\"", "\"\(name)\""), ("<title>Template", "<title>\(name)"),
      ("name: Template", "name: \(Self.quoted(name))"),
      ("NAME = Template", "NAME = \(name)"), ("template_unit", "\(identifier)"),
      ("Template: ", "\(name): "), ("\"Example\"", "\"\(manufacturerName)\""),
      ("name: Example", "name: \(Self.quoted(manufacturerName))"),
      ("aufx/tmpl/Demo", component), ("type: aufx", "type: \(kind.type)"),
      ("subtype: tmpl", "subtype: \(Self.quoted(subtype))"),
      ("manufacturer: Demo", "manufacturer: \(Self.quoted(manufacturer))"),
      (Self.characters(of: "tmpl"), Self.characters(of: subtype)),
      (Self.characters(of: "Demo"), Self.characters(of: manufacturer)),
      ("tags: [Effects]", "tags: [\(kind.tags)]"),
    ]
    if language == .cPlusPlus {
      replacements += [
        ("unit.c says", "unit.cpp says"), ("SOURCE = unit.c\n", "SOURCE = unit.cpp\n"),
        ("COMPILE = $(CC) -std=c17", "COMPILE = $(CXX) -std=c++17"),
        ("CFLAGS", "CXXFLAGS"),
      ]
    }
    return try read(path).replacingEach(replacements)
  }

  /// Returns the folder of the header: as installed, or in the program's build.
  private func headerFolder() throws(FileError) -> String {
    for place in ["../../include/backline", "Sources/CUnit/include/backline"] {
      if let header = DataFolder.find("\(place)/unit.h") { return String(header.dropLast(7)) }
    }
    throw missing("include/backline/unit.h")
  }

  private func missing(_ path: String) -> FileError {
    FileError(
      path: path,
      reason: "this file of Backline is missing; set BACKLINE_DATA to Backline's folder")
  }

  private func read(_ path: String) throws(FileError) -> String {
    String(decoding: try WholeFile.read(path, limit: 1 << 20), as: UTF8.self)
  }

  /// The C identifier: "ring_modulator_unit".
  private var identifier: String {
    String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }) + "_unit"
  }

  static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z][A-Za-z0-9 _\-]{0,39}/) != nil && !name.hasSuffix(" ")
  }

  static func isText(_ text: String) -> Bool {
    (1...60).contains(text.count)
      && !text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" || $0 == "?" || $0.value < 32 }
  }

  /// Returns the first four letters or digits of a name, filled up with "x".
  static func subtype(for name: String) -> String {
    let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }.prefix(4)
    return letters + String(repeating: "x", count: 4 - letters.count)
  }

  /// Returns the text as a quoted YAML scalar.
  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  /// Returns the C characters of a code: `'r', 'i', 'n', 'g'`.
  private static func characters(of code: String) -> String {
    code.map { "'\($0)'" }.joined(separator: ", ")
  }
}

extension String {
  /// Returns the text with each `old` text replaced. Replacements are not replaced again.
  fileprivate func replacingEach(_ replacements: [(old: String, new: String)]) -> String {
    var result = ""
    var rest = self[...]
    while let first = rest.first {
      if let (old, new) = replacements.first(where: { rest.hasPrefix($0.old) }) {
        result += new
        rest = rest.dropFirst(old.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
