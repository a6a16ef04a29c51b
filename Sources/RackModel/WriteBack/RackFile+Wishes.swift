import Documents

extension RackFile {
  /// Writes what the rack's ports are connected to as what they are to be connected to.
  ///
  /// - Parameter connections: other clients' ports, by the names of the rack's JACK ports.
  public mutating func wish(_ connections: [String: [String]], for plan: Plan) {
    Self.wish(connections, for: plan.inputs + plan.midiInputs, in: &inputs)
    Self.wish(connections, for: plan.outputs + plan.midiOutputs, in: &outputs)
  }

  private static func wish(
    _ connections: [String: [String]], for ports: [Port], in entries: inout [PortEntry]
  ) {
    for port in ports {
      guard let place = entries.firstIndex(where: { $0.name.value == port.name }) else { continue }
      let wishes = port.channelNames.map { connections[$0] ?? [] }
      guard wishes != port.connectWishes else { continue }
      let position = entries[place].name.position
      let written = port.channelCount == 1 ? wishes[0].map { [$0] } : wishes
      entries[place].connect =
        wishes.allSatisfy(\.isEmpty) ? nil : Located(written, at: position)
    }
  }
}
