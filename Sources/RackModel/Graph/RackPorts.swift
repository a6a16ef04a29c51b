import Documents
import UnitModel

/// The ports of a rack, by kind.
struct RackPorts {
  struct Entry {
    var port: Port
    var position: SourcePosition
  }

  private(set) var inputs: [Entry] = []
  private(set) var outputs: [Entry] = []
  private(set) var midiInputs: [Entry] = []
  private(set) var midiOutputs: [Entry] = []

  init(_ rack: RackFile, diagnostics: inout DiagnosticCollector) {
    for entry in rack.inputs {
      let port = Self.port(entry, usualChannels: 1, diagnostics: &diagnostics)
      let made = Entry(port: port, position: entry.name.position)
      if entry.isMIDI { midiInputs.append(made) } else { inputs.append(made) }
    }
    for entry in rack.outputs {
      let port = Self.port(entry, usualChannels: 2, diagnostics: &diagnostics)
      let made = Entry(port: port, position: entry.name.position)
      if entry.isMIDI { midiOutputs.append(made) } else { outputs.append(made) }
    }
  }

  private static func port(
    _ entry: PortEntry, usualChannels: Int, diagnostics: inout DiagnosticCollector
  ) -> Port {
    let name = entry.name.value
    var channels = entry.isMIDI ? 1 : usualChannels
    if let asked = entry.channels {
      if entry.isMIDI {
        diagnostics.error(
          asked.position, "“\(name)” is a MIDI port, which has no channels to count")
      } else if (1...UnitFacts.maximumChannelCount).contains(asked.value) {
        channels = asked.value
      } else {
        diagnostics.error(
          asked.position,
          "a port has 1 to \(UnitFacts.maximumChannelCount) channels, not \(asked.value)")
      }
    }
    return Port(
      name: name, channelCount: channels,
      autoConnect: autoConnect(entry, channels: channels, diagnostics: &diagnostics))
  }

  /// On a port of one channel a list has several JACK ports; otherwise it has an entry for each channel.
  private static func autoConnect(
    _ entry: PortEntry, channels: Int, diagnostics: inout DiagnosticCollector
  ) -> [[String]]? {
    guard let connect = entry.connect else { return nil }
    for port in connect.value.joined() where !port.contains(":") {
      diagnostics.error(
        connect.position,
        "“\(port)” is not a JACK port; write client:port, such as system:playback_1")
    }
    if channels == 1 { return [connect.value.flatMap(\.self)] }
    guard connect.value.count == channels else {
      diagnostics.error(
        connect.position,
        "“\(entry.name.value)” has \(channels) channels, so “connect” must be a list of \(channels) "
          + "JACK ports, not \(connect.value.count)")
      return nil
    }
    return connect.value
  }
}
