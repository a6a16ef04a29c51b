import Documents

/// A lane under `automation`: what moves, and its points as written.
public struct LaneEntry: Sendable, Equatable {
  /// `ring.frequency` or `ring.bypass`.
  public var target: Located<String>
  /// `5 kHz @ 2 s` each; one at least.
  public var points: [Located<String>] = []
  public var curve: Located<String>?
}

extension RackFileReader {
  mutating func automation(_ value: YAMLValue) -> [LaneEntry] {
    diagnostics.entries(value, of: "automation").compactMap { target, value in
      var lane = LaneEntry(target: target)
      switch value.content {
      case .mapping(let pairs):
        for (key, value) in pairs.map({ ($0.key, $0.value) }) {
          switch key.value {
          case "points": lane.points = points(value)
          case "curve": lane.curve = diagnostics.text(value, of: "curve")
          default: diagnostics.unknown(key, in: "a lane", known: ["points", "curve"])
          }
        }
        if !pairs.contains(where: { $0.key.value == "points" }) {
          diagnostics.error(target.position, "the lane of “\(target.value)” has no “points”")
        }
      default: lane.points = points(value)
      }
      return lane.points.isEmpty ? nil : lane
    }
  }

  private mutating func points(_ value: YAMLValue) -> [Located<String>] {
    if case .sequence(let values) = value.content, values.isEmpty {
      diagnostics.error(
        value.position, "the list has no points; a lane has one at least, as in [200 Hz @ 0 s]")
      return []
    }
    guard case .sequence(let values) = value.content else {
      diagnostics.error(
        value.position,
        "a lane is a list of points such as [200 Hz @ 0 s, 5 kHz @ 2 s], not \(value.kind)")
      return []
    }
    return values.compactMap { diagnostics.text($0, of: "a point") }
  }
}
