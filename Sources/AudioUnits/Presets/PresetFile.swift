import Documents
import UnitModel

/// One preset's file.
enum PresetFile {
  /// Returns the state and the file's diagnostics; no state if there is an error or the preset is
  /// another unit's.
  static func read(_ path: String, facts: UnitFacts) -> (UnitState?, [Diagnostic]) {
    let start = SourcePosition(line: 1, column: 1)
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.read(path, limit: UnitState.maximumFileSize)
    } catch {
      return (nil, [Diagnostic(file: path, position: start, message: error.reason)])
    }
    let (state, diagnostics) = UnitState.read(bytes, file: path) { component in
      component == facts.component ? facts : nil
    }
    guard var state else { return (nil, diagnostics) }
    guard state.component == facts.component else {
      let message = "this is a preset of \(state.component), not of \(facts.component)"
      return (nil, diagnostics + [Diagnostic(file: path, position: start, message: message)])
    }
    let folder = FilePath.folder(of: path)
    for property in facts.properties where property.isPath {
      guard let value = state.properties[property.identifier], !value.hasPrefix("/") else {
        continue
      }
      state.properties[property.identifier] = "\(folder)/\(value)"
    }
    return (state, diagnostics)
  }
}

/// The names of presets, and of their files.
enum PresetName {
  static let suffix = ".yaml"

  /// Checks a preset's name.
  ///
  /// - Throws: `PresetError.badName`.
  static func check(_ name: String) throws(PresetError) {
    if name.trimmingPrefix(while: \.isWhitespace).isEmpty {
      throw .badName(name, reason: "it is empty")
    }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .badName(name, reason: "it has a control character in it")
    }
    if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
      throw .badName(name, reason: "it begins or ends with a space")
    }
    if fileName(for: name).utf8.count > longestFileName {
      throw .badName(name, reason: "it is too long")
    }
  }

  /// The longest file name, bytes: NAME_MAX minus room for a temporary file's suffix.
  private static let longestFileName = 200

  /// Returns "A%2FB.yaml" for "A/B": characters that a file name cannot have are percent-encoded.
  static func fileName(for name: String) -> String {
    var result = ""
    for (index, scalar) in name.unicodeScalars.enumerated() {
      if scalar == "/" || scalar == "%" || (scalar == "." && index == 0) {
        result += "%" + String(scalar.value, radix: 16, uppercase: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + suffix
  }

  /// Returns the name of a preset whose file does not contain one: the inverse of `fileName`.
  static func name(ofFileAt path: String) -> String {
    // Split by scalars: a name may begin with one that would join the slash, or end with one that
    // would join the suffix.
    let file = path.unicodeScalars.split(separator: "/").last ?? Substring.UnicodeScalarView()
    var rest = file.dropLast(suffix.count)
    var name = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "%", let meant = escaped[String(rest.prefix(2)).uppercased()] {
        name.append(meant)
        rest = rest.dropFirst(2)
      } else {
        name.append(scalar)
      }
    }
    return String(name)
  }

  /// The percent-encoded characters by their hexadecimal digits.
  private static let escaped: [String: Unicode.Scalar] = ["2F": "/", "25": "%", "2E": "."]

  /// Whether a file of this name is a preset's.
  static func isFileName(_ name: String) -> Bool {
    name.utf8.reversed().starts(with: suffix.utf8.reversed())
      && name.utf8.first != UInt8(ascii: ".")
  }
}
