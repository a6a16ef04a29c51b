import CIO
import CJack

/// A registered port of the client.
struct RegisteredPort {
  let pointer: OpaquePointer
  let isInput: Bool
  let isMIDI: Bool
  /// The rack port that this is a channel of.
  let group: String
  /// The number of port sets that share it.
  var holders: Int
  /// The full names of the ports to connect to, from the set registered last.
  var autoConnect: [String] = []
}

extension JackClient {
  /// Registers the ports of a graph, in the kernel's order. Ports that are already registered are
  /// shared, so that connections survive when one graph replaces another.
  public func registerPorts(
    inputs: [JackPortDescription], outputs: [JackPortDescription],
    midiInputs: [JackPortDescription] = [], midiOutputs: [JackPortDescription] = []
  ) throws -> JackPortSet {
    guard state == .idle || state == .active else { throw JackError.closed }
    var names: [String] = []
    do {
      let pointers = [
        try register(inputs, JackPortIsInput, &names),
        try register(outputs, JackPortIsOutput, &names),
        try register(midiInputs, JackPortIsInput, &names),
        try register(midiOutputs, JackPortIsOutput, &names),
      ]
      let counts = pointers.map { UInt32($0.count) }
      guard let ports = bl_jack_ports_create(counts[0], counts[1], counts[2], counts[3]) else {
        throw JackError.portRefused(name: names.first ?? "", reason: "memory is short")
      }
      let lists = [
        ports.pointee.inputs, ports.pointee.outputs, ports.pointee.midi_inputs,
        ports.pointee.midi_outputs,
      ]
      for (list, pointers) in zip(lists, pointers) {
        list?.update(from: pointers, count: pointers.count)
      }
      let described = inputs + midiInputs + outputs + midiOutputs
      // Defer metadata until the client is active: the server would first send each change to every
      // client.
      if state == .active { describe(described) }
      updateLatencies()
      let set = JackPortSet(
        pointer: ports, names: names, descriptions: described,
        autoConnect: Self.autoConnect(described))
      portSets.append(set)
      updateAutoConnect(of: set)
      makeConnections()
      return set
    } catch {
      release(names)
      throw error
    }
  }

  /// Unregisters the ports that no other set shares, once the set's graph is retired.
  public func unregister(_ set: JackPortSet) async {
    guard let index = portSets.firstIndex(where: { $0 === set }) else { return }
    portSets.remove(at: index)
    updateAutoConnect(of: set)
    // The cycle that retired the graph may still be writing silence to its outputs.
    await waitForCycle()
    release(set.names)
  }

  private static func autoConnect(_ descriptions: [JackPortDescription]) -> [String: [String]] {
    var names: [String: [String]] = [:]
    for description in descriptions {
      for channel in 0..<description.channels {
        names[description.rawName(channel: channel)] = description.autoConnect(channel: channel)
      }
    }
    return names
  }

  /// Updates the auto-connections of an added or removed set's ports to those of the last set that has
  /// each.
  private func updateAutoConnect(of set: JackPortSet) {
    for name in set.names {
      ports[name]?.autoConnect =
        portSets.last { $0.autoConnect[name] != nil }?.autoConnect[name] ?? []
    }
  }

  private func register(
    _ descriptions: [JackPortDescription], _ flag: JackPortFlags, _ names: inout [String]
  ) throws(JackError) -> [OpaquePointer?] {
    var pointers: [OpaquePointer?] = []
    for description in descriptions {
      for channel in 0..<description.channels {
        let name = description.rawName(channel: channel)
        pointers.append(try register(name, description, flag, names))
        names.append(name)
      }
    }
    return pointers
  }

  private func register(
    _ name: String, _ description: JackPortDescription, _ flag: JackPortFlags, _ names: [String]
  ) throws(JackError) -> OpaquePointer {
    let isInput = flag == JackPortIsInput
    if let port = ports[name] {
      guard !names.contains(name), port.isInput == isInput, port.isMIDI == description.isMIDI else {
        throw .portRefused(
          name: name,
          reason: names.contains(name)
            ? "another port of this rack has the name" : "a port of another kind has the name")
      }
      ports[name]?.holders += 1
      return port.pointer
    }
    let longest = Int(library.pointee.jack_port_name_size()) - name.utf8.count - 2
    guard !name.isEmpty, self.name.utf8.count <= longest else {
      throw .portRefused(name: name, reason: "the name is empty or too long")
    }
    let type = description.isMIDI ? JACK_DEFAULT_MIDI_TYPE : JACK_DEFAULT_AUDIO_TYPE
    guard let pointer = library.pointee.jack_port_register(jack, name, type, UInt(flag.rawValue), 0)
    else {
      throw .portRefused(
        name: name, reason: JackMessages.reason(otherwise: "the name is not usable, or too many"))
    }
    ports[name] = RegisteredPort(
      pointer: pointer, isInput: isInput, isMIDI: description.isMIDI, group: description.name,
      holders: 1)
    return pointer
  }

  private func release(_ names: [String]) {
    var gone: [RegisteredPort] = []
    for name in names {
      ports[name]?.holders -= 1
      if let port = ports[name], port.holders == 0 {
        ports[name] = nil
        connections.remove(name)
        gone.append(port)
      }
    }
    guard !gone.isEmpty, state == .idle || state == .active else { return }
    // The latency callback must not use the removed ports any more.
    updateLatencies()
    removeMetadata(of: gone)
    for port in gone {
      _ = library.pointee.jack_port_unregister(jack, port.pointer)
    }
  }
}
