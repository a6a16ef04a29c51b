import CIO
import CJack

/// A port that JACK has given us.
struct RegisteredPort {
  let pointer: OpaquePointer
  let isInput: Bool
  let isMIDI: Bool
  /// The rack port that it is a channel of.
  let group: String
  /// The sets that it is in.
  var holders: Int
  /// Those of the set that was registered last.
  var autoConnect: [String] = []
}

extension JackClient {
  /// Registers the ports of a graph, in the kernel's order. Ports that are registered already are
  /// shared, so that connections survive when one graph follows another. The client holds the set
  /// until it is unregistered.
  public func registerPorts(
    inputs: [JackPortDescription], outputs: [JackPortDescription],
    midiInputs: [JackPortDescription] = [], midiOutputs: [JackPortDescription] = []
  ) throws -> JackPortSet {
    guard state == .idle || state == .active else { throw JackError.closed }
    var taken: [String] = []
    do {
      let input = UInt(JackPortIsInput.rawValue)
      let output = UInt(JackPortIsOutput.rawValue)
      let inputPointers = try inputs.flatMap { try take($0, input, &taken) }
      let outputPointers = try outputs.flatMap { try take($0, output, &taken) }
      let midiPointers = try midiInputs.flatMap { try take($0, input, &taken) }
      let midiOutputPointers = try midiOutputs.flatMap { try take($0, output, &taken) }
      guard
        let ports = bl_jack_ports_create(
          UInt32(inputPointers.count), UInt32(outputPointers.count), UInt32(midiPointers.count),
          UInt32(midiOutputPointers.count))
      else { throw JackError.portRefused(name: taken.first ?? "", reason: "memory is short") }
      for (index, port) in inputPointers.enumerated() { ports.pointee.inputs[index] = port }
      for (index, port) in outputPointers.enumerated() { ports.pointee.outputs[index] = port }
      for (index, port) in midiPointers.enumerated() { ports.pointee.midi_inputs[index] = port }
      for (index, port) in midiOutputPointers.enumerated() {
        ports.pointee.midi_outputs[index] = port
      }
      let described = inputs + midiInputs + outputs + midiOutputs
      describe(described)
      updateLatencies()
      let set = JackPortSet(
        pointer: ports, names: taken, autoConnect: Self.autoConnect(described))
      portSets.append(set)
      settleWishes(of: set)
      makeConnections()
      return set
    } catch {
      release(taken)
      throw error
    }
  }

  /// Gives up a set's ports, once its graph is retired; those that no other set holds leave JACK.
  public func unregister(_ set: JackPortSet) {
    guard let place = portSets.firstIndex(where: { $0 === set }) else { return }
    portSets.remove(at: place)
    settleWishes(of: set)
    // The cycle in which the graph was retired may still be writing silence to its outputs.
    if state == .active {
      _ = bl_jack_client_wait_for_cycle(callbacks, 500)
    }
    release(set.names)
  }

  private static func autoConnect(_ descriptions: [JackPortDescription]) -> [String: [String]] {
    var wishes: [String: [String]] = [:]
    for description in descriptions {
      for channel in 0..<description.channels {
        wishes[description.rawName(channel: channel)] = description.autoConnect(channel: channel)
      }
    }
    return wishes
  }

  /// A set has come or gone: each of its ports wishes what the last that has it wishes.
  private func settleWishes(of set: JackPortSet) {
    for name in set.names {
      ports[name]?.autoConnect =
        portSets.last { $0.autoConnect[name] != nil }?.autoConnect[name] ?? []
    }
  }

  private func take(
    _ description: JackPortDescription, _ flag: UInt, _ taken: inout [String]
  ) throws(JackError) -> [OpaquePointer?] {
    var pointers: [OpaquePointer?] = []
    for channel in 0..<description.channels {
      let name = description.rawName(channel: channel)
      pointers.append(try take(name, description, flag, taken))
      taken.append(name)
    }
    return pointers
  }

  private func take(
    _ name: String, _ description: JackPortDescription, _ flag: UInt, _ taken: [String]
  ) throws(JackError) -> OpaquePointer {
    let isInput = flag == UInt(JackPortIsInput.rawValue)
    if let port = ports[name] {
      guard !taken.contains(name), port.isInput == isInput, port.isMIDI == description.isMIDI else {
        throw .portRefused(
          name: name,
          reason: taken.contains(name)
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
    guard let pointer = library.pointee.jack_port_register(jack, name, type, flag, 0) else {
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
        wishesGranted = wishesGranted.filter { $0.port != name }
        wishesRefused = wishesRefused.filter { $0.port != name }
        gone.append(port)
      }
    }
    guard !gone.isEmpty, state == .idle || state == .active else { return }
    // The latency callback must have let go of them first.
    updateLatencies()
    for port in gone {
      removeMetadata(of: port)
      _ = library.pointee.jack_port_unregister(jack, port.pointer)
    }
  }
}
