import CKernel
import RackModel

extension Recording {
  /// Returns the taps of the channels in a graph; a missing source is silent.
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

  /// A source that a plan does not have.
  enum MissingSource: Hashable {
    case gone(String)
    /// The source has fewer channels than are recorded, or is an output bus that the unit does not have.
    case narrower(String)

    func sentence(of path: String) -> String {
      switch self {
      case .gone(let name): "\(name) has gone; \(path) has silence for it from here on"
      case .narrower(let name):
        "\(name) has fewer channels now; \(path) has silence for the others from here on"
      }
    }
  }

  /// Returns the sources that a plan does not have, in the order of the channels.
  func missingSources(in plan: Plan) -> [MissingSource] {
    var missing: [MissingSource] = []
    for channel in channels {
      let (name, width) = channel.place.width(in: plan)
      guard width.map({ channel.channel >= $0 }) ?? true else { continue }
      let source = width == nil ? MissingSource.gone(name) : .narrower(name)
      if !missing.contains(source) { missing.append(source) }
    }
    return missing
  }
}

extension RecordedChannel.Place {
  /// Returns the source's name, and its channel count in a plan; nil if the plan does not have the source.
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
