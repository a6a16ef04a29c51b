import Documents

/// The ports and units of a rack by name, and the diagnostics of its file.
struct RackContext {
  /// The owner of a name, by its index among its kind. Ports and units share one set of names.
  enum Owner: Equatable {
    case input(Int)
    case output(Int)
    case midiInput(Int)
    case midiOutput(Int)
    case unit(Int)

    /// The kind of owner, with its article, for messages.
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

  let ports: RackPorts
  let units: [ResolvedUnit]
  var diagnostics: DiagnosticCollector
  private(set) var owners: [String: Owner] = [:]

  init(_ rack: Rack, units: [ResolvedUnit], ports: RackPorts, diagnostics: DiagnosticCollector) {
    (self.units, self.ports, self.diagnostics) = (units, ports, diagnostics)
    if let name = rack.name { NameRules.checkRack(name, diagnostics: diagnostics) }
    let owned =
      ports.inputs.enumerated().map { (Owner.input($0), $1.name) }
      + ports.midiInputs.enumerated().map { (.midiInput($0), $1.name) }
      + ports.outputs.enumerated().map { (.output($0), $1.name) }
      + ports.midiOutputs.enumerated().map { (.midiOutput($0), $1.name) }
      + units.enumerated().map { (.unit($0), $1.entry.name) }
    // A name belongs to its first owner in the file.
    var firstLines: [String: Int] = [:]
    for (owner, name) in owned.sorted(by: { $0.1.position < $1.1.position }) {
      NameRules.check(name, diagnostics: diagnostics)
      if let present = owners[name.value], let line = firstLines[name.value] {
        diagnostics.error(
          name.position,
          "“\(name.value)” is already the name of \(present.kind) (line \(line))")
        continue
      }
      (owners[name.value], firstLines[name.value]) = (owner, name.position.line)
    }
    checkJACKNames(rackName: rack.name?.value ?? "")
  }

  /// Reports JACK port names that collide or are too long. A port of several channels has several.
  private func checkJACKNames(rackName: String) {
    var ownerNames: [String: String] = [:]
    for entry in ports.inputs + ports.midiInputs + ports.outputs + ports.midiOutputs {
      for name in entry.port.channelNames {
        if let other = ownerNames[name], other != entry.port.name {
          diagnostics.error(
            entry.name.position,
            "the JACK port “\(name)” would belong to both “\(other)” and “\(entry.port.name)”")
        }
        ownerNames[name] = entry.port.name
      }
      let longest = entry.port.channelNames.map(\.utf8.count).max() ?? 0
      if rackName.utf8.count + 1 + longest > NameRules.maximumPortBytes {
        diagnostics.error(
          entry.name.position,
          "the name is too long: with the rack's before it JACK takes \(NameRules.maximumPortBytes) bytes"
        )
      }
    }
  }
}
