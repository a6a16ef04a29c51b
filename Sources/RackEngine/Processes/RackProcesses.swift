import AudioUnits
import JackIO
import RackModel

/// The units of a rack that other processes render.
struct RackProcesses {
  private let units: [RackUnit]
  private let plan: Plan

  init(_ plan: Plan, units: [RackUnit]) {
    self.plan = plan
    self.units = units
  }

  private var remote: [RackUnit] { units.filter(\.isRemote) }

  /// Shares out the time that the render thread may wait in a cycle, and has consecutive units hand
  /// on to one another.
  ///
  /// `period`: seconds a cycle.
  func settle(period: Double) {
    let count = remote.count
    guard count > 0 else { return }
    let share = period * plan.processes.timeout / Double(count)
    for unit in remote {
      unit.audioUnit.setRenderPatience(Int(share * 1e9), period: Int(period * 1e9))
      unit.audioUnit.processPolicy.restarts = plan.processes.restarts
    }
    for cable in plan.cables {
      guard case .unit(let source, bus: 0) = cable.source,
        case .unit(let destination, bus: 0) = cable.destination,
        !cable.isFeedback, units[source].isRemote, units[destination].isRemote
      else { continue }
      units[source].audioUnit.connectOutput(to: units[destination].audioUnit)
    }
  }

  /// What each of them took in its last cycle. Nanoseconds, by unit; 0 for those of the host
  var times: [Int] {
    units.map { $0.isRemote ? $0.audioUnit.processStatistics?.nanoseconds ?? 0 : 0 }
  }

  /// Those that can run while others of them do, of branches side by side all but the first; and
  /// those others.
  var branches: (aside: [Int], beside: [Int]) {
    let branches = Branches(plan)
    let remote = units.indices.filter { units[$0].isRemote }
    let aside = remote.filter { index in
      remote.contains { $0 < index && branches.areParallel($0, index) }
    }
    let beside = remote.filter { index in
      !aside.contains(index) && aside.contains { branches.areParallel($0, index) }
    }
    return (aside, beside)
  }

  /// Has the processes run beside the render thread, on its processor or, those of `elsewhere`,
  /// wherever there is room; the rack file may say otherwise.
  func place(_ elsewhere: Set<Int>, beside thread: JackClient.ThreadPlace, costs: WakeCosts) {
    for (index, unit) in units.enumerated() where unit.isRemote {
      let processor: Int? =
        switch plan.processes.processor {
        case .automatic: elsewhere.contains(index) ? nil : thread.processor
        case .same: thread.processor
        case .other: nil
        case .number(let number): number
        }
      // To look for half as long as it costs to be woken loses half of that at the most.
      let spin = processor == thread.processor ? 0 : (costs.other ?? 0) / 2
      unit.audioUnit.schedule(
        ProcessScheduling(
          priority: max(thread.priority - 1, 0), processor: processor, spin: spin))
      unit.audioUnit.setRenderSpin(spin)
    }
  }
}

/// Which units wait for which.
private struct Branches {
  private let before: [Set<Int>]

  init(_ plan: Plan) {
    var before = Array(repeating: Set<Int>(), count: plan.units.count)
    var grows = true
    while grows {
      grows = false
      for cable in plan.cables where !cable.isFeedback {
        guard case .unit(let source, _) = cable.source,
          case .unit(let destination, _) = cable.destination
        else { continue }
        let all = before[destination].union(before[source]).union([source])
        grows = grows || all.count > before[destination].count
        before[destination] = all
      }
    }
    self.before = before
  }

  func areParallel(_ one: Int, _ other: Int) -> Bool {
    !before[one].contains(other) && !before[other].contains(one)
  }
}

extension RackUnit {
  /// Does another process render it?
  var isRemote: Bool { audioUnit.process != .host }
}
