import Documents

/// The content of a preset's file.
private struct StateEntry: KeyedDocument {
  var preset: Located<String>?
  var unit: Located<ComponentDescription>?
  var version: Located<UInt32>?
  var number: Located<Int>?
  var parameters: [Setting] = []
  var properties: [Setting] = []

  static var title: String { "a preset" }
  static var beginning: String { "preset: NAME" }
  static var keys: [Key<StateEntry>] {
    [
      Key("preset", optional: \.preset, .text, "The name."),
      Key(
        "unit", optional: \.unit, .written(),
        missing: { _ in
          "the preset does not say which unit it is for, as in unit: aufx/dely/bkln"
        }, "The component of the unit."),
      Key("version", optional: \.version, .version, "The unit's version."),
      Key("number", optional: \.number, .count(), "The preset's number."),
      Key("parameters", \.parameters, .settings, "Values by key path."),
      Key("properties", \.properties, .settings, "Settings that are not numbers."),
    ]
  }
}

extension UnitState {
  /// The largest file of one unit's state, bytes.
  public static var maximumFileSize: Int { StateEntry.maximumSize }

  /// Reads a state from a YAML file, with its diagnostics; nil if there is an error.
  ///
  /// `facts` returns a unit's facts; nil for an unknown unit, whose parameters are kept as written.
  public static func read(
    _ bytes: some Sequence<UInt8>, file: String,
    facts: @escaping (ComponentDescription) -> UnitFacts?
  ) -> (state: UnitState?, diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector(file: file)
    var state: UnitState?
    if let root = StateEntry.root(of: bytes, diagnostics) {
      let known = Set(StateEntry.keys.map(\.name))
      var entry = StateEntry()
      diagnostics.read(
        root.pairs.filter { known.contains($0.key.value) }, into: &entry, at: root.position)
      state = UnitState(entry, facts, diagnostics)
      let unknown = root.pairs.filter { !known.contains($0.key.value) }
      if !unknown.isEmpty {
        state?.unknownEntries =
          YAMLValue.map(unknown.map { ($0.key.value, $0.value) }).written
      }
    }
    return (diagnostics.hasErrors ? nil : state, diagnostics.diagnostics.inOrder())
  }

  private init(
    _ entry: StateEntry, _ facts: (ComponentDescription) -> UnitFacts?,
    _ diagnostics: DiagnosticCollector
  ) {
    self.init(
      component: entry.unit?.value ?? ComponentDescription(), version: entry.version?.value ?? 0)
    (presetName, presetNumber) = (entry.preset?.value, entry.number?.value)
    for setting in entry.properties { properties[setting.key.value] = setting.value.value }
    let unit = facts(component)
    for setting in entry.parameters {
      let key = setting.key.value
      let parameter = unit?.parameter(atKeyPath: key, inputBusCount: unit?.maximumInputBusCount)
      guard let parameter else {
        unknownParameters[key] = setting.value.value
        if let unit {
          diagnostics.warning(
            setting.key.position,
            "“\(unit.name)” has no parameter “\(key)”; it is kept and does nothing",
            suggestion: nearestWord(to: key, in: unit.allParameters().map(\.keyPath)))
        }
        continue
      }
      parameters[parameter.keyPath] = diagnostics.value(of: setting.value) { text throws(Refusal) in
        try Quantity.parse(text, for: parameter.info, name: key)
      }
    }
  }

  /// Returns the state as the YAML file that `read` parses; `facts` give the units of its values.
  public func written(for facts: UnitFacts?) -> String {
    var entry = StateEntry()
    entry.preset = presetName.map { Located($0) }
    entry.unit = Located(component)
    entry.version = Located(version)
    entry.number = presetNumber.map { Located($0) }
    func settings(_ texts: [String: String]) -> [Setting] {
      texts.sorted { $0.key < $1.key }.map { Setting($0, $1) }
    }
    entry.parameters = settings(writtenParameters(for: facts))
    entry.properties = settings(properties)
    return entry.tree.written + (unknownEntries ?? "")
  }

  /// Returns the parameters in written form, by key path, including those that the unit does not
  /// have.
  package func writtenParameters(for facts: UnitFacts?) -> [String: String] {
    unknownParameters.merging(
      parameters.map { keyPath, value in
        let info = facts?.parameter(
          atKeyPath: keyPath, inputBusCount: facts?.maximumInputBusCount)?.info
        return (keyPath, info.map { Quantity.format(value, for: $0) } ?? "\(value)")
      }
    ) { $1 }
  }
}
