import Documents
import UnitModel

extension RackChecker {
  /// Checks a lane that is written in one line: `UNIT.PARAMETER=VALUE@TIME, VALUE@TIME`.
  ///
  /// A lane whose first point comes later than 0 begins with the value that the rack has there.
  ///
  /// - Throws: `Refusal` saying what is wrong and where in the text.
  public func lane(_ text: String, of rack: CheckedRack) throws(Refusal) -> PlannedLane {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard sides.count == 2 else {
      throw Refusal("“\(text)”: write UNIT.PARAMETER=VALUE@TIME, VALUE@TIME")
    }
    let position = SourcePosition(line: 1, column: 1)
    var entry = LaneEntry(target: Located(sides[0].trimmingSpaces(), at: position))
    entry.points = sides[1].split(separator: ",").map {
      Located(String($0).trimmingSpaces(), at: position)
    }
    var findings = DiagnosticCollector(file: text)
    let connections = resolver(for: rack.file, diagnostics: &findings)
    let targets = TargetResolver(names: connections.names, units: connections.units)
    findings = DiagnosticCollector(file: text)
    let lane = LaneResolver(targets: targets).resolve([entry], diagnostics: &findings).first
    if let problem = findings.diagnostics.first {
      throw Refusal(problem.message, suggestion: problem.suggestion)
    }
    guard var lane, let first = lane.points.first else {
      throw Refusal("“\(text)” has no points; write VALUE@TIME, as in 5 kHz@2s")
    }
    if first.time > 0 {
      let start = rack.plan.value(of: lane.target) ?? lane.info.defaultValue
      lane.points.insert(.init(time: first.time, value: start), at: 0)
    }
    return lane
  }
}

extension Plan {
  /// What a target begins with; nil where that is its parameter's default.
  fileprivate func value(of target: ControlTarget) -> Float? {
    switch target {
    case .bypass(let unit): units[unit].isBypassed ? 1 : 0
    case .parameter(let unit, let address):
      units[unit].parameters.last { $0.address == address }?.value
    }
  }
}
