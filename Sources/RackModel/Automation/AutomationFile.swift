import Documents

/// Reads and writes files of recorded lanes, which fit the rack that was recorded and others.
package enum AutomationFile {
  /// The size limit of an automation file, bytes: enough for a long evening.
  package static let maximumSize = 64 << 20

  /// Returns the lanes of a file, and the diagnostics of its form.
  package static func parse(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (lanes: [Rack.Lane], diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector(file: file)
    var content = Content()
    if let root = Content.root(of: bytes, diagnostics) {
      diagnostics.read(root.pairs, into: &content, at: root.position)
    }
    return (content.lanes, diagnostics.diagnostics.inOrder())
  }

  private struct Content: KeyedDocument {
    var lanes: [Rack.Lane] = []

    static var title: String { "an automation file" }
    static var beginning: String { "automation:" }
    static var maximumSize: Int { AutomationFile.maximumSize }
    static var keys: [Key<Content>] {
      [Key("automation", \.lanes, .automation, "Lanes by `UNIT.PARAMETER` or `UNIT.bypass`.")]
    }
  }

  /// Returns a file with these lanes, sorted by their paths.
  package static func text(of lanes: [RecordedLane]) -> String {
    let lanes = lanes.sorted { "\($0.path)" < "\($1.path)" }.map { lane in
      (lane.path.description, lane.written)
    }
    return YAMLValue.map([("automation", .map(lanes))]).written
  }
}

extension RackChecker {
  /// Returns the rack with these lanes added; a lane replaces the rack's lane of the same parameter. Lanes
  /// of units or parameters that the rack does not have are left out with a warning, since a recording may
  /// cover several racks. If no lane is left, the warnings are errors.
  ///
  /// - Parameter file: the lanes' file, for errors.
  package func adding(
    _ lanes: [Rack.Lane], from file: String, to rack: CheckedRack
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    var (lanes, absent) = present(lanes, from: file, in: rack.file)
    guard !lanes.isEmpty || absent.isEmpty else { return (nil, absent) }
    for index in absent.indices {
      absent[index].severity = .warning
      absent[index].message += "; what the file has of it is left out"
    }
    var changed = rack.file
    let targets = Set(lanes.map(\.target.value))
    changed.loadedAutomation.removeAll { targets.contains($0.target.value) }
    changed.loadedAutomation += lanes
    changed.file = file
    var (checked, diagnostics) = check(changed, withValuesOf: rack)
    checked?.file.file = rack.file.file
    // The text contains none of these lanes; the rest of it still holds.
    checked?.bytes = rack.bytes
    // The warnings concern the rest of the rack, and have been reported.
    diagnostics.removeAll { $0.severity != .error }
    return (checked, (absent + diagnostics).inOrder())
  }

  /// Returns the lanes whose units and parameters a rack has, and errors for the others: one for each
  /// missing unit, and one for each missing parameter of a unit that the rack has.
  private func present(
    _ lanes: [Rack.Lane], from file: String, in rack: Rack
  ) -> (lanes: [Rack.Lane], absent: [Diagnostic]) {
    var context = context(for: rack, diagnostics: DiagnosticCollector(file: rack.file))
    let units = Set(rack.units.map(\.name.value))
    var absent: [Diagnostic] = []
    var absentUnits: Set<String> = []
    let present = lanes.filter { lane in
      guard let path = try? ParameterPath(lane.target.value) else { return true }
      context.diagnostics = DiagnosticCollector(file: file)
      _ = context.target(lane.target)
      guard context.diagnostics.hasErrors else { return true }
      if units.contains(path.unit) || absentUnits.insert(path.unit).inserted {
        absent += context.diagnostics.diagnostics
      }
      return false
    }
    return (present, absent)
  }
}
