import CKernel
import RackModel

extension Recording {
  /// Where the channels are in a graph of so many ports and units; silence for what is gone.
  func taps(ports plan: Plan, units: [RackUnit]) -> [bl_tap] {
    channels.map { channel in
      var tap = bl_tap()
      tap.node = UInt32.max - 1
      tap.channel = UInt32(channel.channel)
      switch channel.place {
      case .input(let name):
        guard let port = plan.inputs.firstIndex(where: { $0.name == name }) else { break }
        (tap.node, tap.is_input, tap.bus) = (UInt32.max, true, UInt32(port))
      case .output(let name):
        guard let port = plan.outputs.firstIndex(where: { $0.name == name }) else { break }
        (tap.node, tap.bus) = (UInt32.max, UInt32(port))
      case .unit(let name, let bus):
        guard let unit = units.firstIndex(where: { $0.name == name }) else { break }
        (tap.node, tap.bus) = (UInt32(unit), UInt32(bus))
      }
      return tap
    }
  }

  /// Those of the recording's sources that a plan does not have.
  func missing(in plan: Plan) -> [String] {
    var names: [String] = []
    for channel in channels {
      let (name, isThere) =
        switch channel.place {
        case .input(let name): (name, plan.inputs.contains { $0.name == name })
        case .output(let name): (name, plan.outputs.contains { $0.name == name })
        case .unit(let name, _): (name, plan.units.contains { $0.name == name })
        }
      if !isThere, !names.contains(name) { names.append(name) }
    }
    return names
  }
}
