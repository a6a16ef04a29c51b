import Documents
import UnitModel

/// Reads a bundle's manifest, and reports all its errors at once.
struct UnitManifestReader {
  /// The parts that could be read.
  struct Result {
    /// Nil where something is wrong.
    var manifest: UnitManifest?
    var presets: [ManifestPreset] = []
    var problems: [Diagnostic]
    /// Also where something else is wrong.
    var component: ComponentDescription?
    var name: String?
  }

  static let kind = DocumentKind(name: "unit manifest", maximumSize: 1 << 18)
  private static let keys = [
    "name", "type", "subtype", "manufacturer", "manufacturer_name", "version", "summary", "tags",
    "in_process", "needs", "presets", "view",
  ]
  private let bundle: UnitBundle
  private var diagnostics: DiagnosticCollector
  private var codes: [String: FourCharacterCode] = [:]
  private var presets: [ManifestPreset] = []

  static func read(_ bundle: UnitBundle) -> Result {
    let start = SourcePosition(line: 1, column: 1)
    func refused(_ message: String) -> Result {
      Result(
        problems: [Diagnostic(file: bundle.manifestPath, position: start, message: message)])
    }
    guard FileStamp(bundle.manifestPath) != nil else {
      var problem = Diagnostic(file: bundle.path, position: start, message: "it is no folder")
      if Folder.isThere(bundle.path) {
        problem.message = "the bundle has no \(UnitBundle.manifestName)"
      } else if FileStamp(bundle.path) == nil {
        problem.message = "there is no such bundle"
        problem.suggestion = nearestWord(
          to: bundle.fileName, in: UnitFolders.bundles(in: bundle.folder).map(\.fileName))
      }
      return Result(problems: [problem])
    }
    do {
      let bytes = try WholeFile.read(bundle.manifestPath, limit: kind.maximumSize)
      return read(bytes, of: bundle)
    } catch {
      return refused(error.reason)
    }
  }

  static func read(_ bytes: [UInt8], of bundle: UnitBundle) -> Result {
    let document = YAMLDocument(bytes, file: bundle.manifestPath, kind: kind)
    let start = SourcePosition(line: 1, column: 1)
    if document.isEmpty {
      let message = "the file is empty; a unit manifest begins with “name: NAME”"
      return Result(
        problems: [Diagnostic(file: document.file, position: start, message: message)])
    }
    guard let root = document.root else { return Result(problems: document.problems) }
    var reader = UnitManifestReader(
      bundle: bundle, diagnostics: DiagnosticCollector(file: document.file))
    let (manifest, component, name) = reader.manifest(from: root)
    let problems = (document.problems + reader.diagnostics.diagnostics).inOrder()
    return Result(
      manifest: problems.isEmpty ? manifest : nil, presets: reader.presets, problems: problems,
      component: component, name: name)
  }

  private mutating func manifest(
    from value: YAMLValue
  ) -> (UnitManifest?, ComponentDescription?, String?) {
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.position, "a unit manifest is a map that begins with “name: NAME”, not \(value.kind)")
      return (nil, nil, nil)
    }
    var manifest = UnitManifest(component: ComponentDescription(), version: 0, name: "")
    for (key, value) in pairs.map({ ($0.key, $0.value) }) {
      switch key.value {
      case "name": manifest.name = line(value, of: key.value) ?? ""
      case "type", "subtype", "manufacturer": codes[key.value] = code(value, of: key.value)
      case "manufacturer_name": manifest.manufacturerName = line(value, of: key.value) ?? ""
      case "version": manifest.version = version(value) ?? 0
      case "summary": manifest.summary = line(value, of: key.value) ?? ""
      case "tags": manifest.tags = words(value, of: key.value).map(\.value)
      case "in_process":
        manifest.allowsInProcess = diagnostics.boolean(value, of: key.value) ?? false
      case "needs": manifest.needs = needs(value)
      case "presets": readPresets(value)
      case "view": manifest.view = view(value)
      default: diagnostics.unknown(key, in: "a unit manifest", known: Self.keys)
      }
    }
    for (key, example) in [
      ("name", "Ring"), ("type", "aufx"), ("subtype", "ring"), ("manufacturer", "Demo"),
      ("version", "1.0.0"),
    ] where !pairs.contains(where: { $0.key.value == key }) {
      diagnostics.error(value.position, "“\(key)” is missing, as in \(key): \(example)")
    }
    let name = manifest.name.isEmpty ? nil : manifest.name
    guard let type = codes["type"], let subtype = codes["subtype"],
      let manufacturer = codes["manufacturer"]
    else { return (nil, nil, name) }
    manifest.component = ComponentDescription(
      type: type, subtype: subtype, manufacturer: manufacturer)
    return (manifest, manifest.component, name)
  }

  /// A text of one line, at most 200 bytes.
  private mutating func line(_ value: YAMLValue, of key: String) -> String? {
    guard let text = diagnostics.text(value, of: key)?.value else { return nil }
    if text.isEmpty { diagnostics.error(value.position, "“\(key)” is empty") }
    if text.utf8.count > 200 {
      diagnostics.error(value.position, "“\(key)” is longer than 200 bytes")
    }
    if text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
      diagnostics.error(value.position, "“\(key)” has a line break or a control character in it")
    }
    return text
  }

  private mutating func code(_ value: YAMLValue, of key: String) -> FourCharacterCode? {
    guard let text = diagnostics.text(value, of: key)?.value else { return nil }
    guard let code = FourCharacterCode(text), !code.isWildcard else {
      let types = FourCharacterCode.unitTypes.map { "\($0.code) (\($0.name))" }
        .joined(separator: ", ")
      let meant = FourCharacterCode.unitTypes.first { ComponentTag.areAlike($0.name, text) }?.code
      diagnostics.error(
        value.position,
        "“\(text.prefix(40))” is no \(key) code: \(fault(of: text)); "
          + (key == "type" ? "the types are \(types)" : "four ASCII letters or digits, as in ring"),
        suggestion: meant.map { "\($0)" })
      return nil
    }
    let known = FourCharacterCode.unitTypes.map { "\($0.code)" }
    if key == "type", !known.contains(text), text != "aufm" {
      diagnostics.error(
        value.position,
        "there are no units of type “\(text)”; the types are \(known.joined(separator: ", "))",
        suggestion: nearestWord(to: text, in: known))
      return nil
    }
    return code
  }

  private func fault(of text: String) -> String {
    if text == "*" { return "a unit is one unit, so no wildcard will do" }
    if text.count != 4 { return "it has \(numbered(text.count, "character"))" }
    let culprit = text.first { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return culprit.map { "“\($0)” is no ASCII letter or digit" } ?? "it is no ASCII text"
  }

  private mutating func version(_ value: YAMLValue) -> UInt32? {
    guard let text = diagnostics.text(value, of: "version")?.value else { return nil }
    if let version = UnitFacts.version(written: text) { return version }
    diagnostics.error(
      value.position,
      "“\(text.prefix(40))” is not a version; write it like 1.0.0, up to 65535.255.255")
    return nil
  }

  private mutating func words(_ value: YAMLValue, of key: String) -> [Located<String>] {
    guard case .sequence(let values) = value.content else {
      diagnostics.error(
        value.position, "“\(key)” must be a list such as [Effects, Filter], not \(value.kind)")
      return []
    }
    return values.compactMap { value in
      line(value, of: key).map { Located($0, at: value.position) }
    }
  }

  private mutating func needs(_ value: YAMLValue) -> [UnitManifest.Need] {
    words(value, of: "needs").compactMap { word in
      if let need = UnitManifest.Need(rawValue: word.value) { return need }
      let known = UnitManifest.Need.allCases.map(\.rawValue)
      diagnostics.error(
        word.position,
        "“\(word.value)” is nothing that a unit can need; it can need "
          + known.joined(separator: ", "), suggestion: nearestWord(to: word.value, in: known))
      return nil
    }
  }

  private mutating func readPresets(_ value: YAMLValue) {
    for (name, value) in diagnostics.entries(value, of: "presets") {
      presets.append(
        ManifestPreset(name: name, settings: diagnostics.settings(value, of: name.value)))
    }
  }

  private mutating func view(_ value: YAMLValue) -> String? {
    guard let name = line(value, of: "view") else { return nil }
    guard let place = bundle.place(of: name) else {
      diagnostics.error(value.position, "“\(name)” leads out of the bundle")
      return nil
    }
    if !WholeFile.isThere(place) {
      diagnostics.error(value.position, "the bundle has no file “\(name)”")
    }
    return name
  }
}

extension UnitManifestReader {
  private init(bundle: UnitBundle, diagnostics: DiagnosticCollector) {
    self.bundle = bundle
    self.diagnostics = diagnostics
  }
}
