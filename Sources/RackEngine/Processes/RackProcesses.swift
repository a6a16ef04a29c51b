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

  /// Divides the time that the render thread may wait in a cycle among the processes, and lets consecutive
  /// units pass their output directly to each other.
  ///
  /// - Parameter period: the time between two cycles, seconds.
  func connect(period: Double) {
    let remote = units.filter(\.isRemote)
    let share = period * plan.processes.timeout / Double(remote.count)
    for unit in remote {
      unit.audioUnit.setRenderTimeout(Int(share * 1e9), period: Int(period * 1e9))
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

  /// The time of each unit in its last cycle, nanoseconds; 0 for units of the host's process.
  var times: [Int] {
    units.map { $0.isRemote ? $0.audioUnit.processStatistics?.nanoseconds ?? 0 : 0 }
  }

  /// The indices of the units in branches that can run at the same time: those of all branches but the first,
  /// and those beside which they run.
  var branches: (aside: [Int], beside: [Int]) {
    var before = Array(repeating: Set<Int>(), count: units.count)
    for unit in UnitGraph(unitCount: units.count, cables: plan.cables).order {
      for cable in plan.cables where cable.destination.unit == unit && !cable.isFeedback {
        if let source = cable.source.unit { before[unit].formUnion(before[source].union([source])) }
      }
    }
    func areParallel(_ one: Int, _ other: Int) -> Bool {
      !before[one].contains(other) && !before[other].contains(one)
    }
    let remote = units.indices.filter { units[$0].isRemote }
    let aside = remote.filter { index in
      remote.contains { $0 < index && areParallel($0, index) }
    }
    let beside = remote.filter { index in
      !aside.contains(index) && aside.contains { areParallel($0, index) }
    }
    return (aside, beside)
  }

  /// Places the processes on the render thread's processor, and those of the units `elsewhere` on any processor,
  /// unless the rack file says otherwise.
  func place(_ elsewhere: Set<Int>, beside thread: JackClient.ThreadPlace, costs: WakeCosts) {
    for (index, unit) in units.enumerated() where unit.isRemote {
      let processor: Int? =
        switch plan.processes.processor {
        case .automatic: elsewhere.contains(index) ? nil : thread.processor
        case .same: thread.processor
        case .other: nil
        case .number(let number): number
        }
      // Spinning for half the cost of a wake-up wastes half of that cost at most.
      let spin = processor == thread.processor ? 0 : (costs.other ?? 0) / 2
      unit.audioUnit.schedule(
        ProcessScheduling(
          priority: max(thread.priority - 1, 0), processor: processor, spin: spin))
      unit.audioUnit.setRenderSpin(spin)
    }
  }
}

extension RackUnit {
  var isRemote: Bool { audioUnit.process != .host }
}
