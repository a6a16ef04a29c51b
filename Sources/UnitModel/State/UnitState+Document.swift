import Documents

extension UnitState {
  /// The largest file of one unit's state.
  public static var maximumFileSize: Int { kind.maximumSize }

  private static let kind = DocumentKind(name: "preset")

  /// Reads a state from a YAML file, with its diagnostics; nil where there is an error.
  ///
  /// `facts` answers a unit's facts; nil for an unknown unit, whose parameters are kept as written.
  public static func read(
    _ bytes: some Sequence<UInt8>, file: String,
    facts: @escaping (ComponentDescription) -> UnitFacts?
  ) -> (state: UnitState?, diagnostics: [Diagnostic]) {
    let document = YAMLDocument(bytes, file: file, kind: kind)
    if document.isEmpty {
      let start = SourcePosition(line: 1, column: 1)
      let message = "the file is empty; a preset begins with “preset: NAME”"
      return (nil, [Diagnostic(file: file, position: start, message: message)])
    }
    guard let root = document.root else { return (nil, document.problems) }
    var reader = UnitStateReader(diagnostics: DiagnosticCollector(file: file), facts: facts)
    let state = reader.state(from: root)
    let all = (document.problems + reader.diagnostics.diagnostics).inOrder()
    return (all.contains { $0.severity == .error } ? nil : state, all)
  }

  /// The state as the YAML file that `read` understands; `facts` give the units of its values.
  public func written(for facts: UnitFacts?) -> String {
    var entries: [(String, YAMLValue)] = []
    if let presetName { entries.append(("preset", .text(presetName))) }
    entries.append(("unit", .text("\(component)")))
    entries.append(("version", .text(UnitFacts.written(version: version))))
    if let presetNumber { entries.append(("number", .text("\(presetNumber)"))) }
    let values = parameters.map { keyPath, value in
      let info = facts?.parameter(
        atKeyPath: keyPath, inputBusCount: facts?.maximumInputBusCount)?.info
      return (keyPath, info.map { Quantity.format(value, for: $0) } ?? "\(value)")
    }
    let settings = (values + unknownParameters.map { ($0, $1) }).sorted { $0.0 < $1.0 }
    if !settings.isEmpty {
      entries.append(("parameters", .map(settings.map { ($0.0, .text($0.1)) })))
    }
    if !properties.isEmpty {
      let texts = properties.sorted { $0.key < $1.key }.map { ($0.key, YAMLValue.text($0.value)) }
      entries.append(("properties", .map(texts)))
    }
    entries += unknownEntries.map { ($0.key, $0.value) }
    return YAMLValue.map(entries).written
  }
}
