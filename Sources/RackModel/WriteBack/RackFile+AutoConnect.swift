import Documents

extension RackFile {
  /// Writes the present connections of the rack's ports as their `connect`.
  ///
  /// - Parameter connections: other clients' ports, by the names of the rack's JACK ports.
  public mutating func setAutoConnect(_ connections: [String: [String]], for plan: Plan) {
    Self.setAutoConnect(connections, for: plan.inputs + plan.midiInputs, in: &inputs)
    Self.setAutoConnect(connections, for: plan.outputs + plan.midiOutputs, in: &outputs)
  }

  private static func setAutoConnect(
    _ connections: [String: [String]], for ports: [Port], in entries: inout [PortEntry]
  ) {
    for port in ports {
      guard let place = entries.firstIndex(where: { $0.name.value == port.name }) else { continue }
      let channels = port.channelNames.map { connections[$0] ?? [] }
      guard channels != port.autoConnect else { continue }
      let position = entries[place].name.position
      let written = port.channelCount == 1 ? channels[0].map { [$0] } : channels
      entries[place].connect =
        channels.allSatisfy(\.isEmpty) ? nil : Located(written, at: position)
    }
  }
}
