import Documents

/// Resolves the names of a rack: ports and units share one set of names.
struct RackNames {
  enum Owner: Equatable {
    case input(Int)
    case output(Int)
    case midiInput(Int)
    case midiOutput(Int)
    case unit(Int)

    /// For messages.
    var kind: String {
      switch self {
      case .input: "an input"
      case .output: "an output"
      case .midiInput: "a MIDI input"
      case .midiOutput: "a MIDI output"
      case .unit: "a unit"
      }
    }
  }

  private(set) var owners: [String: Owner] = [:]
  private var positions: [String: SourcePosition] = [:]

  init(_ rack: RackFile, ports: RackPorts, diagnostics: inout DiagnosticCollector) {
    if let name = rack.name { NameRules.checkRack(name, diagnostics: &diagnostics) }
    for (index, entry) in ports.inputs.enumerated() {
      add(entry.port.name, entry.position, .input(index), &diagnostics)
    }
    for (index, entry) in ports.midiInputs.enumerated() {
      add(entry.port.name, entry.position, .midiInput(index), &diagnostics)
    }
    for (index, entry) in ports.outputs.enumerated() {
      add(entry.port.name, entry.position, .output(index), &diagnostics)
    }
    for (index, entry) in ports.midiOutputs.enumerated() {
      add(entry.port.name, entry.position, .midiOutput(index), &diagnostics)
    }
    for (index, entry) in rack.units.enumerated() {
      add(entry.name.value, entry.name.position, .unit(index), &diagnostics)
    }
    checkJACKNames(ports, rackName: rack.name?.value ?? "", diagnostics: &diagnostics)
  }

  private mutating func add(
    _ name: String, _ position: SourcePosition, _ owner: Owner,
    _ diagnostics: inout DiagnosticCollector
  ) {
    NameRules.check(Located(name, at: position), diagnostics: &diagnostics)
    if let taken = owners[name], let first = positions[name] {
      // The maps of the file come in any order; the later place is the one to blame.
      let (earlier, later) = first < position ? (first, position) : (position, first)
      let kind = first < position ? taken.kind : owner.kind
      diagnostics.error(later, "“\(name)” is already the name of \(kind) (line \(earlier.line))")
      return
    }
    owners[name] = owner
    positions[name] = position
  }

  /// Ports of several channels have several JACK names, which can collide and be too long.
  private func checkJACKNames(
    _ ports: RackPorts, rackName: String, diagnostics: inout DiagnosticCollector
  ) {
    var takers: [String: String] = [:]
    for entry in ports.inputs + ports.midiInputs + ports.outputs + ports.midiOutputs {
      for name in entry.port.channelNames {
        if let taker = takers[name], taker != entry.port.name {
          diagnostics.error(
            entry.position,
            "the JACK port “\(name)” would belong to both “\(taker)” and "
              + "“\(entry.port.name)”")
        }
        takers[name] = entry.port.name
      }
      let longest = entry.port.channelNames.map(\.utf8.count).max() ?? 0
      if rackName.utf8.count + 1 + longest > NameRules.maximumPortBytes {
        diagnostics.error(
          entry.position,
          "the name is too long: with the rack's before it JACK takes \(NameRules.maximumPortBytes) bytes"
        )
      }
    }
  }
}
