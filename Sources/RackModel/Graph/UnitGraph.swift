import Documents

/// The order of units along their cables, and the loops in it.
package struct UnitGraph {
  struct Loop {
    /// In the order of the sound.
    var units: [Int]
    /// The arrow from the last of them back to the first.
    var position: SourcePosition
    /// Whether a MIDI cable closes it, which cannot feed back.
    var isMIDI: Bool
  }

  private struct Step {
    var unit: Int
    var position: SourcePosition
    var isMIDI: Bool
  }

  /// Every unit after those that feed it, but for loops and feedback.
  package private(set) var order: [Int] = []
  private(set) var loops: [Loop] = []

  /// Walks depth first (R. E. Tarjan, "Depth-first search and linear graph algorithms", 1972), with
  /// a stack of its own; linear in units and cables.
  package init(unitCount: Int, cables: [Cable], midiCables: [MIDICable] = []) {
    var outgoing: [[Step]] = Array(repeating: [], count: unitCount)
    for cable in cables where !cable.isFeedback {
      if let from = cable.source.unit, let to = cable.destination.unit {
        outgoing[from].append(Step(unit: to, position: cable.position, isMIDI: false))
      }
    }
    for cable in midiCables {
      if let from = cable.source.unit, let to = cable.destination.unit {
        outgoing[from].append(Step(unit: to, position: cable.position, isMIDI: true))
      }
    }
    var isSeen = Array(repeating: false, count: unitCount)
    var depth: [Int?] = Array(repeating: nil, count: unitCount)
    for root in 0..<unitCount where !isSeen[root] {
      var path: [(unit: Int, next: Int)] = [(root, 0)]
      isSeen[root] = true
      depth[root] = 0
      while let (unit, next) = path.last {
        guard next < outgoing[unit].count else {
          depth[unit] = nil
          order.append(unit)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let step = outgoing[unit][next]
        let successor = step.unit
        if let start = depth[successor] {
          loops.append(
            Loop(
              units: path[start...].map(\.unit), position: step.position, isMIDI: step.isMIDI))
        } else if !isSeen[successor] {
          isSeen[successor] = true
          depth[successor] = path.count
          path.append((successor, 0))
        }
      }
    }
    order.reverse()
  }
}
