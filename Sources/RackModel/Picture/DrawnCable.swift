import UnitModel

/// A cable of a plan, by the names of its ends.
package struct DrawnCable {
  package enum Kind { case audio, feedback, midi }

  package struct End {
    package var endpoint: Endpoint
    /// The name of the port or unit.
    package var node: String
    /// The name of the bus, where the unit's name is ambiguous: "sidechain", "2".
    package var bus: String?
    /// The whole name: "duck.sidechain".
    package var name: String { bus.map { "\(node).\($0)" } ?? node }
  }

  package var from: End
  package var to: End
  package var kind: Kind
  /// The part of the signal that the cable carries: "channel 1", "notes C4.."; empty for all.
  package var part: String

  /// The cable as in a rack file: "drums -> duck.sidechain".
  package var text: String {
    let source = part.isEmpty ? from.name : "\(from.name) \(part)"
    return "\(source) \(kind == .feedback ? "~>" : "->") \(to.name)"
  }
}

extension Plan {
  /// The audio cables, and then the MIDI cables.
  package var drawnCables: [DrawnCable] {
    let audio = cables.map { cable in
      DrawnCable(
        from: end(cable.source, inputs) { _, _ in nil },
        to: end(cable.destination, outputs) { unit, bus in
          unit.facts.nameOfInput(bus, of: unit.inputChannelCounts.count)
        }, kind: cable.isFeedback ? .feedback : .audio,
        part: cable.sourceChannel.map { "channel \($0)" } ?? "")
    }
    let midi = midiCables.map { cable in
      DrawnCable(
        from: end(cable.source, midiInputs) { unit, number in
          let names = unit.facts.midiOutputNames
          let hasSound = !unit.outputChannelCounts.isEmpty
          return names.indices.contains(number) && (hasSound || names.count > 1)
            ? names[number] : nil
        },
        to: end(cable.destination, midiOutputs) { _, number in
          number > 0 ? "midi\(number + 1)" : nil
        }, kind: .midi, part: cable.filter.text)
    }
    return audio + midi
  }

  /// Returns an end of a cable.
  ///
  /// - Parameter bus: returns the name of a bus or a MIDI cable, where the unit's name is ambiguous.
  private func end(
    _ endpoint: Endpoint, _ ports: [Port], bus: (PlannedUnit, Int) -> String?
  ) -> DrawnCable.End {
    switch endpoint {
    case .port(let port): .init(endpoint: endpoint, node: ports[port].name)
    case .unit(let index, let number):
      .init(endpoint: endpoint, node: units[index].name, bus: bus(units[index], number))
    }
  }
}

extension MIDIFilter {
  /// The filter as in a rack file: "channel 2 notes C4.."; empty if all messages pass.
  fileprivate var text: String {
    let low = notes.flatMap { $0.lowerBound > 0 ? NoteName.text(Float($0.lowerBound)) : "" }
    let high = notes.flatMap { $0.upperBound < 127 ? NoteName.text(Float($0.upperBound)) : "" }
    let keys = notes.map { _ in "notes \(low ?? "")..\(high ?? "")" }
    return [channel.map { "channel \($0)" }, keys].compactMap(\.self).joined(separator: " ")
  }
}
