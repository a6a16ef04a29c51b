import Documents

/// Files of recorded lanes, for the same rack and for others.
public enum AutomationFile {
  /// A long evening with many hands. Bytes
  public static let maximumSize = 64 << 20

  /// The lanes that a file has, and everything that is wrong with its form.
  public static func parse(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (lanes: [LaneEntry], diagnostics: [Diagnostic]) {
    let kind = DocumentKind(name: "automation file", maximumSize: maximumSize)
    let document = YAMLDocument(bytes, file: file, kind: kind)
    var diagnostics = DiagnosticCollector(file: file)
    var content = Content()
    if let root = document.root {
      if let pairs = diagnostics.pairs(root, of: "the file") {
        diagnostics.read(pairs, into: &content, at: root.position)
      }
    } else if document.problems.isEmpty {
      diagnostics.error(
        SourcePosition(line: 1, column: 1), "the file is empty; it begins with “automation:”")
    }
    return (content.lanes, (document.problems + diagnostics.diagnostics).inOrder())
  }

  private struct Content: KeyedEntry {
    var lanes: [LaneEntry] = []

    static var title: String { "an automation file" }
    static var keys: [Key<Content>] {
      [Key("automation", \.lanes, .automation, "Lanes by `UNIT.PARAMETER` or `UNIT.bypass`.")]
    }
  }

  /// A file with these lanes, in the order of their names.
  public static func text(of lanes: [RecordedLane]) -> String {
    let lanes = lanes.sorted { "\($0.path)" < "\($1.path)" }.map { lane in
      (lane.path.description, lane.written)
    }
    return YAMLValue.map([("automation", .map(lanes))]).written
  }
}

extension RackChecker {
  /// The rack with these lanes besides its own, and in the place of those of the same parameters. Those
  /// of what the rack does not have are left out, since a recording may have been made over several
  /// racks; where that is all of them, it is an error.
  ///
  /// - Parameter file: the lanes' file, for errors.
  public func adding(
    _ lanes: [LaneEntry], from file: String, to rack: CheckedRack
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    var (lanes, absent) = present(lanes, from: file, in: rack.file)
    guard !lanes.isEmpty || absent.isEmpty else { return (nil, absent) }
    for place in absent.indices {
      absent[place].severity = .warning
      absent[place].message += "; what the file has of it is left out"
    }
    var changed = rack.file
    let targets = Set(lanes.map(\.target.value))
    changed.loadedAutomation.removeAll { targets.contains($0.target.value) }
    changed.loadedAutomation += lanes
    changed.file = file
    var (checked, diagnostics) = check(changed)
    checked?.file.file = rack.file.file
    // The text has none of them, and says the rest as before.
    checked?.bytes = rack.bytes
    // What is said of the rest of the rack has been said, and is not in this file.
    diagnostics.removeAll { $0.severity != .error }
    return (checked, (absent + diagnostics).inOrder())
  }

  /// Those whose units and parameters a rack has, and the first of what is wrong with the others, unit by
  /// unit.
  private func present(
    _ lanes: [LaneEntry], from file: String, in rack: RackFile
  ) -> (lanes: [LaneEntry], absent: [Diagnostic]) {
    var ofTheRack = DiagnosticCollector(file: rack.file)
    let connections = resolver(for: rack, diagnostics: &ofTheRack)
    let targets = TargetResolver(names: connections.names, units: connections.units)
    let units = Set(rack.units.map(\.name.value))
    var absent: [Diagnostic] = []
    var absentUnits: Set<String> = []
    let present = lanes.filter { lane in
      guard let path = try? ParameterPath(lane.target.value) else { return true }
      var findings = DiagnosticCollector(file: file)
      _ = targets.resolve(lane.target, diagnostics: &findings)
      guard findings.hasErrors else { return true }
      if units.contains(path.unit) || absentUnits.insert(path.unit).inserted {
        absent += findings.diagnostics
      }
      return false
    }
    return (present, absent)
  }
}
