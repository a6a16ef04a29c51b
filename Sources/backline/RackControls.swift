import RackModel
import UnitModel

/// A rack's modulations, controls and scenes as text.
struct RackControls {
  let plan: Plan

  var lines: [String] {
    let modulations = plan.modulations.map { modulation in
      "\(plan.name(of: modulation)) modulates "
        + "\(name(of: .parameter(unit: modulation.unit, address: modulation.address))), "
        + "\(Quantity.format(modulation.depth, for: PlannedModulation.depthInfo))"
        + (modulation.isSquared ? ", square" : "") + (modulation.isLate ? ", late" : "")
    }
    let controls = plan.controls.map { control in
      "\(plan.midiInputs[control.port].name) \(control.source) -> \(text(of: control))"
    }
    let scenes = plan.scenes.map { scene in
      let values = scene.values.map { "\(name(of: $0.target)) \(text($0.value, for: $0.target))" }
      let time =
        scene.time > 0
        ? ", over \(Quantity.format(Float(scene.time), for: PlannedScene.timeInfo))" : ""
      return "scene \(scene.name): \(values.joined(separator: ", "))\(time)"
    }
    return [modulations, controls, scenes].flatMap { $0.isEmpty ? [] : [""] + $0 }
  }

  private func text(of control: PlannedControl) -> String {
    let latching = control.latches ? ", \(ControlMode.latching.rawValue)" : ""
    switch control.action {
    case .tap: return "tap\(latching)"
    case .panic: return "panic\(latching)"
    case .command(let command): return "\(command)\(latching)"
    case .recall(let scene): return "scene \(plan.scenes[scene].name)\(latching)"
    case .move(let target, let mode, let from, let to, _):
      let range = "\(text(from, for: target)) to \(text(to, for: target))"
      let manner = mode == .absolute ? "" : ", \(mode.rawValue)"
      return "\(name(of: target)), \(range)\(manner)\(control.picksUp ? ", picks up" : "")"
    }
  }

  private func name(of target: ControlTarget) -> String {
    switch target {
    case .bypass(let unit): "\(plan.units[unit].name).bypass"
    case .parameter(let unit, let address):
      "\(plan.units[unit].name).\(parameter(unit, address)?.keyPath ?? "\(address)")"
    }
  }

  private func text(_ value: Float, for target: ControlTarget) -> String {
    switch target {
    case .bypass: value >= 0.5 ? "on" : "off"
    case .parameter(let unit, let address):
      parameter(unit, address).map { Quantity.format(value, for: $0.info) } ?? "\(value)"
    }
  }

  private func parameter(_ unit: Int, _ address: UInt64) -> ParameterReference? {
    plan.units[unit].facts.parameter(at: address)
  }
}
