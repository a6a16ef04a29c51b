import RackModel
import UnitModel

/// The processes that render a rack's units, as text and for Graphviz.
struct RackProcesses {
  private let plan: Plan
  /// The process of each unit.
  private let choices: [ProcessChoice]

  init(_ plan: Plan, catalogue: any UnitDirectory) {
    self.plan = plan
    choices = plan.units.map { $0.process ?? catalogue.defaultProcess(of: $0.reference) }
  }

  /// The settings of the rack's processes; empty if the host renders all units.
  var settings: [String] {
    guard choices.contains(where: { $0 != .host }) else { return [] }
    let settings = plan.processes
    let timeout = Quantity.format(
      Float(settings.timeout * 100), for: ProcessSettings.timeoutRange)
    return [
      "processes  timeout \(timeout), processor \(settings.processor), "
        + "restarts \(settings.restarts)"
    ]
  }

  /// Returns the suffix for the line of a unit.
  func text(of unit: Int) -> String {
    let index =
      switch choices[unit] {
      case .host: ""
      case .own: ", in a process of its own"
      case .group(let name): ", in the process of group \(name)"
      }
    return index + (plan.units[unit].isPipelined ? ", pipelined" : "")
  }

  /// Returns a Graphviz cluster around the units of each process.
  func clusters(quoted: (String) -> String) -> [String] {
    var members: [(label: String, units: [String])] = []
    for (unit, choice) in zip(plan.units, choices) where choice != .host {
      let label = choice == .own ? "own process" : "\(choice)"
      if choice != .own, let index = members.firstIndex(where: { $0.label == label }) {
        members[index].units.append(unit.name)
      } else {
        members.append((label, [unit.name]))
      }
    }
    return members.enumerated().map { number, member in
      "  subgraph cluster_\(number) { style=dashed; label=\(quoted(member.label)); "
        + member.units.map { "\(quoted($0));" }.joined(separator: " ") + " }"
    }
  }
}
