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

  /// What a plan does not have of the recording's sources.
  enum Lack: Hashable {
    case gone(String)
    /// Fewer channels than are recorded, or for a unit no such output.
    case narrower(String)

    /// What it means for a file.
    func sentence(of path: String) -> String {
      switch self {
      case .gone(let name): "\(name) has gone; \(path) has silence for it from here on"
      case .narrower(let name):
        "\(name) has fewer channels now; \(path) has silence for the others from here on"
      }
    }
  }

  /// In the order of the channels.
  func lacks(in plan: Plan) -> [Lack] {
    var lacks: [Lack] = []
    for channel in channels {
      let (name, width) = channel.place.width(in: plan)
      guard width.map({ channel.channel >= $0 }) ?? true else { continue }
      let lack = width == nil ? Lack.gone(name) : .narrower(name)
      if !lacks.contains(lack) { lacks.append(lack) }
    }
    return lacks
  }
}

extension RecordedChannel.Place {
  /// By what name, and how many channels it has in a plan; nil where that does not have it.
  fileprivate func width(in plan: Plan) -> (name: String, width: Int?) {
    switch self {
    case .input(let name): (name, plan.inputs.first { $0.name == name }?.channelCount)
    case .output(let name): (name, plan.outputs.first { $0.name == name }?.channelCount)
    case .unit(let name, let bus):
      (
        name,
        plan.units.first { $0.name == name }.map {
          $0.outputChannelCounts.indices.contains(bus) ? $0.outputChannelCounts[bus] : 0
        }
      )
    }
  }
}
