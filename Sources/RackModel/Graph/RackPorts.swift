import Documents
import UnitModel

/// The ports of a rack, by kind.
struct RackPorts {
  struct Entry {
    var port: Port
    var name: Located<String>
  }

  let inputs: [Entry]
  let outputs: [Entry]
  let midiInputs: [Entry]
  let midiOutputs: [Entry]

  init(_ rack: Rack, diagnostics: DiagnosticCollector) {
    func entries(_ ports: [Rack.Port], isMIDI: Bool, defaultChannels: Int) -> [Entry] {
      ports.filter { $0.isMIDI == isMIDI }.map { port in
        Entry(
          port: Self.port(port, defaultChannels: defaultChannels, diagnostics: diagnostics),
          name: port.name)
      }
    }
    inputs = entries(rack.inputs, isMIDI: false, defaultChannels: 1)
    outputs = entries(rack.outputs, isMIDI: false, defaultChannels: 2)
    midiInputs = entries(rack.inputs, isMIDI: true, defaultChannels: 1)
    midiOutputs = entries(rack.outputs, isMIDI: true, defaultChannels: 1)
    for port in rack.inputs + rack.outputs.filter(\.isMIDI) {
      guard let ceiling = port.ceiling else { continue }
      diagnostics.error(
        ceiling.position,
        "“\(port.name.value)” has no ceiling: only an audio output has one, where sound goes out")
    }
  }

  private static func port(
    _ entry: Rack.Port, defaultChannels: Int, diagnostics: DiagnosticCollector
  ) -> Port {
    var channels = defaultChannels
    if let asked = entry.channels {
      if entry.isMIDI {
        diagnostics.error(
          asked.position, "“\(entry.name.value)” is a MIDI port, which has no channels to count")
      } else if (1...UnitFacts.maximumChannelCount).contains(asked.value) {
        channels = asked.value
      } else {
        diagnostics.error(
          asked.position,
          "a port has 1 to \(UnitFacts.maximumChannelCount) channels, not \(asked.value)")
      }
    }
    return Port(
      name: entry.name.value, channelCount: channels,
      autoConnect: autoConnect(entry, channels: channels, diagnostics: diagnostics),
      ceiling: entry.ceiling?.value ?? .default)
  }

  /// Returns the JACK ports of each channel. On a port of one channel the list names several JACK ports;
  /// otherwise it has an entry for each channel.
  private static func autoConnect(
    _ entry: Rack.Port, channels: Int, diagnostics: DiagnosticCollector
  ) -> [[String]]? {
    guard let connect = entry.connect else { return nil }
    for port in connect.value.joined() where !port.contains(":") {
      diagnostics.error(
        connect.position,
        "“\(port)” is not a JACK port; write client:port, such as system:playback_1")
    }
    if channels == 1 { return [connect.value.flatMap(\.self)] }
    if connect.value.count == channels { return connect.value }
    diagnostics.error(
      connect.position,
      "“\(entry.name.value)” has \(channels) channels, so “connect” must be a list of \(channels) "
        + "JACK ports, not \(connect.value.count)")
    return nil
  }
}
