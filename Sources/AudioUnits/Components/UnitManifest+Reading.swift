import Documents
import UnitModel

/// A bundle's `unit.yaml` as written.
struct ManifestEntry: KeyedDocument {
  var name: Located<String>?
  var type: Located<FourCharacterCode>?
  var subtype: Located<FourCharacterCode>?
  var manufacturer: Located<FourCharacterCode>?
  var manufacturerName: Located<String>?
  var version: Located<UInt32>?
  var summary: Located<String>?
  var tags: [Located<String>] = []
  var allowsInProcess = false
  var needs: [Located<UnitManifest.Need>] = []
  var presets: [ManifestPreset] = []
  var view: Located<String>?

  static var title: String { "a unit manifest" }
  static var beginning: String { "name: NAME" }
  static var maximumSize: Int { 1 << 18 }
  static var keys: [Key<ManifestEntry>] {
    func missing(_ key: String, _ example: String) -> (ManifestEntry) -> String {
      { _ in "“\(key)” is missing, as in \(key): \(example)" }
    }
    return [
      Key("name", optional: \.name, .line, missing: missing("name", "Ring"), "The unit's name."),
      Key("type", optional: \.type, .unitType, missing: missing("type", "aufx"), "The type code."),
      Key(
        "subtype", optional: \.subtype, .code("subtype"), missing: missing("subtype", "ring"),
        "The subtype code."),
      Key(
        "manufacturer", optional: \.manufacturer, .code("manufacturer"),
        missing: missing("manufacturer", "Demo"), "The manufacturer's code."),
      Key("manufacturer_name", optional: \.manufacturerName, .line, "The manufacturer's name."),
      Key(
        "version", optional: \.version, .version, missing: missing("version", "1.0.0"),
        "The unit's version."),
      Key("summary", optional: \.summary, .line, "One line: the unit's effect on the sound."),
      Key("tags", \.tags, .list(of: .line, "such as [Effects, Filter]"), "Words to find it by."),
      Key("in_process", \.allowsInProcess, .flag, "Whether it may run in the host's process."),
      Key("needs", \.needs, .list(of: .word(), "such as [files]"), "Rights that it needs."),
      Key("presets", \.presets, .named(), "Factory presets by name."),
      Key("view", optional: \.view, .line, "The file of its own view, in the bundle."),
    ]
  }
}

/// A factory preset of the manifest, not yet checked against the unit's parameters.
struct ManifestPreset: NamedEntry, Sendable {
  var name: Located<String>
  var settings: [Setting] = []

  init(name: Located<String>) { self.name = name }
  static var title: String { "a preset" }
  static var keys: [Key<ManifestPreset>] { [] }
  static var others: WritableKeyPath<ManifestPreset, [Setting]>? { \.settings }
}

extension UnitManifest.Need: WordValue {
  package static var kind: String { "a right that a unit can need" }
  package static var all: [UnitManifest.Need] { allCases }
  public var description: String { rawValue }
}

extension KeyType where Value == Located<String> {
  /// The type of a text of one line, at most 200 bytes.
  fileprivate static var line: KeyType {
    KeyType(
      schema: ["type": ["string", "number"], "maxLength": 200],
      read: { value, key, diagnostics in
        guard let text = diagnostics.text(value, of: key) else { return nil }
        if text.value.isEmpty { diagnostics.error(value.position, "“\(key)” is empty") }
        if text.value.utf8.count > 200 {
          diagnostics.error(value.position, "“\(key)” is longer than 200 bytes")
        }
        if text.value.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
          diagnostics.error(
            value.position, "“\(key)” contains a line break or a control character")
        }
        return text
      }, write: { .text($0.value) })
  }
}

extension KeyType where Value == Located<FourCharacterCode> {
  fileprivate static func code(_ kind: String) -> KeyType {
    .parsed { text throws(Refusal) in
      if let code = FourCharacterCode(text), !code.isWildcard { return code }
      throw refusal(of: text, kind, "four ASCII letters or digits, as in ring")
    }
  }

  fileprivate static var unitType: KeyType {
    .parsed { text throws(Refusal) in
      let types = FourCharacterCode.unitTypes
      let known = types.map { "\($0.code)" }
      guard let code = FourCharacterCode(text), !code.isWildcard else {
        let named = types.first { ComponentTag.areAlike($0.name, text) }?.code
        let listed = types.map { "\($0.code) (\($0.name))" }.joined(separator: ", ")
        throw refusal(
          of: text, "type", "the types are \(listed)", suggestion: named.map { "\($0)" })
      }
      if known.contains(text) || text == "aufm" { return code }
      throw Refusal(
        "there are no units of type “\(text)”; the types are \(known.joined(separator: ", "))",
        suggestion: nearestWord(to: text, in: known))
    }
  }

  private static func refusal(
    of text: String, _ kind: String, _ advice: String, suggestion: String? = nil
  ) -> Refusal {
    let foreign = text.first { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let fault =
      text == "*"
      ? "a manifest describes one unit, without wildcards"
      : text.count != 4
        ? "it has \(numbered(text.count, "character"))"
        : foreign.map { "“\($0)” is not an ASCII letter or digit" } ?? "it is not ASCII text"
    return Refusal(
      "“\(text.prefix(40))” is not a \(kind) code: \(fault); \(advice)", suggestion: suggestion)
  }
}

extension UnitManifest {
  /// The result of reading a manifest.
  struct Reading {
    /// The manifest; nil if it has an error.
    var manifest: UnitManifest?
    var presets: [ManifestPreset] = []
    var problems: [Diagnostic]
    /// The component description, even if something else is wrong.
    var component: ComponentDescription?
    var name: String?
  }

  /// Reads a bundle's manifest, and reports all its errors at once.
  static func read(_ bundle: UnitBundle) -> Reading {
    var problem = Diagnostic(
      file: bundle.manifestPath, position: SourcePosition(line: 1, column: 1), message: "")
    guard FileStamp(bundle.manifestPath) != nil else {
      problem.file = bundle.path
      if Folder.isThere(bundle.path) {
        problem.message = "the bundle has no \(UnitBundle.manifestName)"
      } else if FileStamp(bundle.path) == nil {
        problem.message = "there is no such bundle"
        problem.suggestion = nearestWord(
          to: bundle.fileName, in: UnitFolders.bundles(in: bundle.folder).map(\.fileName))
      } else {
        problem.message = "it is not a folder"
      }
      return Reading(problems: [problem])
    }
    do {
      return read(
        try WholeFile.read(bundle.manifestPath, limit: ManifestEntry.maximumSize), of: bundle)
    } catch {
      problem.message = error.reason
      return Reading(problems: [problem])
    }
  }

  private static func read(_ bytes: [UInt8], of bundle: UnitBundle) -> Reading {
    let diagnostics = DiagnosticCollector(file: bundle.manifestPath)
    var entry = ManifestEntry()
    if let root = ManifestEntry.root(of: bytes, diagnostics) {
      diagnostics.read(root.pairs, into: &entry, at: root.position)
      if let view = entry.view { check(view, in: bundle, diagnostics) }
    }
    let problems = diagnostics.diagnostics.inOrder()
    var component: ComponentDescription?
    if let type = entry.type, let subtype = entry.subtype, let manufacturer = entry.manufacturer {
      component = ComponentDescription(
        type: type.value, subtype: subtype.value, manufacturer: manufacturer.value)
    }
    var reading = Reading(
      presets: entry.presets, problems: problems, component: component, name: entry.name?.value)
    if problems.isEmpty, let component, let version = entry.version, let name = entry.name {
      reading.manifest = UnitManifest(
        component: component, version: version.value, name: name.value,
        manufacturerName: entry.manufacturerName?.value ?? "",
        summary: entry.summary?.value ?? "", tags: entry.tags.map(\.value),
        allowsInProcess: entry.allowsInProcess, needs: entry.needs.map(\.value),
        view: entry.view?.value)
    }
    return reading
  }

  private static func check(
    _ view: Located<String>, in bundle: UnitBundle, _ diagnostics: DiagnosticCollector
  ) {
    guard let path = bundle.filePath(of: view.value) else {
      diagnostics.error(view.position, "“\(view.value)” is outside the bundle")
      return
    }
    if !WholeFile.isThere(path) {
      diagnostics.error(view.position, "the bundle has no file “\(view.value)”")
    }
  }
}
