import Documents

extension Rack {
  /// Writes the present connections of the rack's ports into their `connect` keys.
  ///
  /// - Parameter connections: the ports of other clients, by the names of the rack's JACK ports.
  package mutating func setAutoConnect(_ connections: [String: [String]], for plan: Plan) {
    inputs.setAutoConnect(connections, for: plan.inputs + plan.midiInputs)
    outputs.setAutoConnect(connections, for: plan.outputs + plan.midiOutputs)
  }
}

extension [Rack.Port] {
  fileprivate mutating func setAutoConnect(
    _ connections: [String: [String]], for ports: [Port]
  ) {
    for port in ports {
      guard let index = firstIndex(where: { $0.name.value == port.name }) else { continue }
      let channels = port.channelNames.map { connections[$0] ?? [] }
      guard channels != port.autoConnect else { continue }
      let written = port.channelCount == 1 ? channels[0].map { [$0] } : channels
      self[index].connect = channels.allSatisfy(\.isEmpty) ? nil : Located(written)
    }
  }
}
