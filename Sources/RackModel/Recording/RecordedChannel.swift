import Documents
import UnitModel

/// The source of a recorded channel by name, so that it can be found again after an edit of the rack.
package struct RecordedChannel: Sendable, Equatable {
  package enum Place: Sendable, Equatable {
    /// An audio input or output of the rack, by name.
    case input(String)
    case output(String)
    /// An output bus of a unit.
    case unit(String, bus: Int)
  }

  package var place: Place
  /// The channel, from 0 on.
  package var channel: Int
}

extension Plan {
  /// Returns the channels of ports (`main`), of single JACK ports (`main_1`), of units (`echo`) and of
  /// their output busses (`split.2`), in the order of the names; without names those of all outputs.
  ///
  /// - Throws: `Refusal` for an unknown name or one without audio, or where there is no audio output.
  package func recordedChannels(
    of names: [String]
  ) throws(Refusal) -> [RecordedChannel] {
    if names.isEmpty {
      let all = outputs.flatMap { Self.channels(of: .output($0.name), count: $0.channelCount) }
      guard !all.isEmpty else {
        throw Refusal("the rack has no audio output; name the ports or units to record")
      }
      return all
    }
    let known = inputs.map(\.name) + outputs.map(\.name) + units.map(\.name)
    var channels: [RecordedChannel] = []
    for name in names.names(among: known, separator: ",") {
      channels += try self.channels(of: name)
    }
    return channels
  }

  private static func channels(
    of place: RecordedChannel.Place, count: Int
  ) -> [RecordedChannel] {
    (0..<count).map { RecordedChannel(place: place, channel: $0) }
  }

  private func channels(
    of name: String
  ) throws(Refusal) -> [RecordedChannel] {
    let ports =
      inputs.map { (RecordedChannel.Place.input($0.name), $0) }
      + outputs.map { (RecordedChannel.Place.output($0.name), $0) }
    for (place, port) in ports {
      if port.name == name { return Self.channels(of: place, count: port.channelCount) }
      if let channel = port.channelNames.firstIndex(of: name) {
        return [RecordedChannel(place: place, channel: channel)]
      }
    }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    if let first = parts.first, let unit = units.first(where: { $0.name == first }) {
      return try channels(of: unit, bus: parts.count > 1 ? parts[1] : nil)
    }
    if (midiInputs + midiOutputs).contains(where: { $0.name == name }) {
      throw Refusal("“\(name)” carries MIDI; only audio can be recorded")
    }
    throw Refusal(
      "nothing in this rack is called “\(name)”",
      suggestion: nearestWord(to: name, in: ports.map(\.1.name) + units.map(\.name)))
  }

  private func channels(
    of unit: PlannedUnit, bus name: String?
  ) throws(Refusal) -> [RecordedChannel] {
    let facts = unit.facts
    let ways = UnitWays(facts, inputBusCount: unit.inputChannelCounts.count)
    guard let bus = ways.outputs(named: name)?.audio, bus < unit.outputChannelCounts.count else {
      throw Refusal(
        name.map { "“\(unit.name)” (\(unit.component)) has no audio output “\($0)”" }
          ?? "“\(unit.name)” (\(unit.component)) has no audio output",
        suggestion: name.flatMap { nearestWord(to: $0, in: facts.outputBusses.map(\.name)) }
          .map { "\(unit.name).\($0)" })
    }
    return Self.channels(
      of: .unit(unit.name, bus: bus), count: unit.outputChannelCounts[bus])
  }
}
