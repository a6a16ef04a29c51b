import UnitModel

/// The connections between units, to find units that can pass audio directly to the next within one
/// process.
struct UnitFeeds {
  private struct Feed {
    var unit: Int
    /// Whether the unit's first output, unchanged, is all that feeds the first input.
    var isForFirstInput: Bool
  }

  /// For each unit, the units that feed it in the same cycle.
  private var feeds: [Int: [Feed]] = [:]

  init(cables: [Cable], midiCables: [MIDICable], counts: [ChannelCounts?]) {
    // The host sums several sources of an input before the unit renders.
    var sourceCounts: [Endpoint: Int] = [:]
    for cable in cables { sourceCounts[cable.destination, default: 0] += 1 }
    for cable in cables where !cable.isFeedback {
      guard case .unit(let source, let output) = cable.source,
        case .unit(let destination, let input) = cable.destination
      else { continue }
      let isForFirstInput =
        output == 0 && input == 0 && cable.sourceChannel == nil
        && sourceCounts[cable.destination] == 1
        && counts[source]?.outputs.first == counts[destination]?.inputs.first
      feeds[destination, default: []].append(Feed(unit: source, isForFirstInput: isForFirstInput))
    }
    for cable in midiCables {
      guard let source = cable.source.unit, let destination = cable.destination.unit else {
        continue
      }
      feeds[destination, default: []].append(Feed(unit: source, isForFirstInput: false))
    }
  }

  /// Returns the fewest rows that these units form. Each unit of a row receives its audio from the unit
  /// before, and nothing else from any of these units.
  ///
  /// - Parameter units: the indices of units, each after those that feed it.
  func rows(of units: [Int]) -> [[Int]] {
    let members = Set(units)
    var rows: [[Int]] = []
    for unit in units {
      let preceding = feeds[unit]?.first(where: \.isForFirstInput)?.unit
      if let preceding, let row = rows.firstIndex(where: { $0.last == preceding }),
        !isFedOtherwise(unit, members)
      {
        rows[row].append(unit)
      } else {
        rows.append([unit])
      }
    }
    return rows
  }

  /// Whether audio or MIDI of these units reaches `unit` by another path than its first input.
  private func isFedOtherwise(_ unit: Int, _ members: Set<Int>) -> Bool {
    var waiting = (feeds[unit] ?? []).filter { !$0.isForFirstInput }.map(\.unit)
    var seen = Set(waiting)
    while let next = waiting.popLast() {
      if members.contains(next) { return true }
      for feed in feeds[next] ?? [] where seen.insert(feed.unit).inserted {
        waiting.append(feed.unit)
      }
    }
    return false
  }
}
