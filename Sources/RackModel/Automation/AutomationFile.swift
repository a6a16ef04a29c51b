import Documents

/// Lanes in a file of their own: what was recorded of a rack, for this rack and others.
public enum AutomationFile {
  /// A long evening with many hands; bytes.
  public static let maximumSize = 16 << 20

  /// The lanes that a file has, and everything that is wrong with its form.
  public static func parse(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (lanes: [LaneEntry], diagnostics: [Diagnostic]) {
    let kind = DocumentKind(name: "automation file", maximumSize: maximumSize)
    let document = YAMLDocument(bytes, file: file, kind: kind)
    var reader = RackFileReader(file: file, source: document.source)
    var lanes: [LaneEntry] = []
    if let root = document.root {
      for (key, value) in reader.diagnostics.entries(root, of: "the file") {
        switch key.value {
        case "automation": lanes += reader.automation(value)
        default:
          reader.diagnostics.unknown(key, in: "an automation file", known: ["automation"])
        }
      }
    } else if document.problems.isEmpty {
      reader.diagnostics.error(
        SourcePosition(line: 1, column: 1), "the file is empty; it begins with “automation:”")
    }
    return (lanes, (document.problems + reader.diagnostics.diagnostics).inOrder())
  }

  /// A file with these lanes, in the order of their names.
  public static func text(of lanes: [RecordedLane]) throws -> String {
    let lanes = lanes.sorted { "\($0.path)" < "\($1.path)" }.map { lane in
      (lane.path.description, YAMLValue.list(lane.writtenPoints.map(YAMLValue.text)))
    }
    return try YAMLValue.map([("automation", .map(lanes))]).written()
  }
}

extension RackChecker {
  /// The rack with these lanes besides its own, and in the place of those of the same parameters.
  ///
  /// - Parameter file: where they come from, for what is wrong with them.
  public func adding(
    _ lanes: [LaneEntry], from file: String, to rack: CheckedRack
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
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
    return (checked, diagnostics)
  }
}
