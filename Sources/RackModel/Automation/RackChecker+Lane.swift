import Documents
import UnitModel

extension RackChecker {
  /// Checks a lane that is written in one line: `UNIT.PARAMETER=VALUE@TIME, VALUE@TIME`.
  ///
  /// If the first point is later than 0, the lane jumps there from the rack's value.
  ///
  /// - Throws: `Refusal` for a malformed text, or an unknown unit or parameter.
  package func lane(_ text: String, of rack: CheckedRack) throws(Refusal) -> PlannedLane {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard sides.count == 2 else {
      throw Refusal("“\(text)”: write UNIT.PARAMETER=VALUE@TIME, VALUE@TIME")
    }
    let entry = Rack.Lane(
      sides[0].trimmingSpaces(), sides[1].split(separator: ",").map { $0.trimmingSpaces() })
    var context = context(for: rack.file, diagnostics: DiagnosticCollector(file: text))
    context.diagnostics = DiagnosticCollector(file: text)
    let lane = context.lanes([entry]).first
    if let refusal = Refusal(context.diagnostics.diagnostics) { throw refusal }
    guard var lane, let first = lane.points.first else {
      throw Refusal("“\(text)” has no points; write VALUE@TIME, as in 5 kHz@2s")
    }
    if first.time > 0 {
      let start = rack.plan[lane.target] ?? lane.info.defaultValue
      lane.points.insert(.init(time: first.time, value: start), at: 0)
    }
    return lane
  }
}
