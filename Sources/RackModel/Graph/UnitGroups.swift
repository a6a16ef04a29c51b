import Documents
import UnitModel

/// The groups of units that share a process.
struct UnitGroups {
  private struct Group {
    var name: String
    /// The indices of the units in the order of the file.
    var units: [Int]
  }

  private let units: [ResolvedUnit]
  private let diagnostics: DiagnosticCollector
  private var groups: [Group] = []

  init(_ context: RackContext) {
    (units, diagnostics) = (context.units, context.diagnostics)
    var groupIndices: [String: Int] = [:]
    for (index, unit) in units.enumerated() {
      guard case .group(let name) = unit.entry.process?.value else { continue }
      if let group = groupIndices[name] {
        groups[group].units.append(index)
      } else {
        groupIndices[name] = groups.count
        groups.append(Group(name: name, units: [index]))
      }
    }
  }

  /// Reports groups with more units than a process can serve.
  func checkSizes() {
    let maximum = ProcessChoice.maximumGroupSize
    for group in groups where group.units.count > maximum {
      diagnostics.error(
        position(of: group.units[maximum]),
        "a group has at most \(maximum) units; “\(group.name)” has \(group.units.count)")
    }
  }

  /// Reports notes on groups that save nothing, or less than they could.
  ///
  /// - Parameters:
  ///   - order: the indices of all units, each after those that feed it.
  ///   - counts: the channel counts of each unit.
  func remarkOnRows(
    order: [Int], cables: [Cable], midiCables: [MIDICable], counts: [ChannelCounts?]
  ) {
    let feeds = UnitFeeds(cables: cables, midiCables: midiCables, counts: counts)
    for group in groups {
      if group.units.count == 1 {
        remark(onLoneUnitOf: group)
        continue
      }
      // The host does not wait for pipelined units, so they cause no round trip.
      let waitedFor = Set(group.units.filter { !units[$0].isPipelined })
      let rows = feeds.rows(of: order.filter(waitedFor.contains))
        .sorted { ($0.first ?? 0) < ($1.first ?? 0) }
      guard rows.count > 1, let second = rows[1].first else { continue }
      let listed = rows.map { $0.map { units[$0].name }.joined(separator: " -> ") }
      diagnostics.note(
        position(of: second),
        "the units of the group “\(group.name)” are not one row of cables but \(rows.count) "
          + "(\(listed.joined(separator: ", "))), each with a round trip of its own in every cycle")
    }
  }

  private func remark(onLoneUnitOf group: Group) {
    let others = groups.map(\.name).filter { $0 != group.name }
    for unit in group.units {
      diagnostics.note(
        position(of: unit),
        "“\(units[unit].name)” is alone in the group “\(group.name)”, which is then the same as "
          + "“process: own”",
        suggestion: nearestWord(to: group.name, in: others).map { "group \($0)" })
    }
  }

  private func position(of unit: Int) -> SourcePosition {
    units[unit].entry.process?.position ?? units[unit].position
  }
}
