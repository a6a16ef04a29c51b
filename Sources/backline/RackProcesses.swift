import RackModel
import UnitModel

/// In which processes a rack's units are rendered, for eyes and for Graphviz.
struct RackProcesses {
  private let plan: Plan
  /// For each unit.
  private let choices: [ProcessChoice]

  init(_ plan: Plan, catalogue: any UnitDirectory) {
    self.plan = plan
    choices = plan.units.map { $0.process ?? catalogue.usualProcess(of: $0.reference) }
  }

  /// How they are waited for; nothing where the host renders all.
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

  /// To follow what is said of a unit.
  func text(of unit: Int) -> String {
    let place =
      switch choices[unit] {
      case .host: ""
      case .own: ", in a process of its own"
      case .group(let name): ", in the process of group \(name)"
      }
    return place + (plan.units[unit].isPipelined ? ", pipelined" : "")
  }

  /// A frame around those that share a process.
  func clusters(quoted: (String) -> String) -> [String] {
    var members: [(label: String, units: [String])] = []
    for (unit, choice) in zip(plan.units, choices) {
      switch choice {
      case .host: break
      case .own: members.append(("own process", [unit.name]))
      case .group(let name):
        if let place = members.firstIndex(where: { $0.label == "group \(name)" }) {
          members[place].units.append(unit.name)
        } else {
          members.append(("group \(name)", [unit.name]))
        }
      }
    }
    return members.enumerated().map { number, member in
      "  subgraph cluster_\(number) { style=dashed; label=\(quoted(member.label)); "
        + member.units.map { "\(quoted($0));" }.joined(separator: " ") + " }"
    }
  }
}
