import Documents
import UnitModel

/// Turns chains of names into cables between ports and busses.
struct ConnectionResolver {
  var context: RackContext
  private(set) var cables: [Cable] = []
  private(set) var midiCables: [MIDICable] = []
  /// The units that lack a cable, because its ends could not be resolved or do not fit.
  private(set) var incompleteUnits: Set<Int> = []
  private var firstPositions: [ChainEnd.Link: SourcePosition] = [:]

  init(_ context: RackContext) { self.context = context }

  private var diagnostics: DiagnosticCollector { context.diagnostics }

  mutating func resolve(_ chains: [Rack.Chain]) {
    for chain in chains {
      let ends = context.ends(of: chain)
      for (index, arrow) in chain.arrows.enumerated() {
        connect(ends[index], ends[index + 1], by: arrow)
      }
    }
  }

  private mutating func connect(
    _ from: ChainEnd, _ to: ChainEnd, by arrow: Located<Rack.Arrow>
  ) {
    guard let link = from.link(to: to) else {
      if case .unit(let unit) = to.owner { incompleteUnits.insert(unit) }
      refuse(from, to, at: arrow.position)
      return
    }
    let isFeedback = arrow.value == .feedback
    let first = firstPositions[link]
    switch link {
    case .audio(let source, let destination, let fromChannel, let toChannel):
      if from.limits.notes != nil {
        diagnostics.error(
          from.text.position, "“\(from.text.value)”: this cable carries audio, which has no notes")
      } else if isFeedback, source.unit == nil || destination.unit == nil {
        diagnostics.error(arrow.position, "only a cable from unit to unit can feed back (~>)")
      } else if let first {
        warnOfSecond(from, to, arrow.position, first)
      } else {
        cables.append(
          Cable(
            source: source, destination: destination, isFeedback: isFeedback,
            sourceChannel: fromChannel, destinationChannel: toChannel, position: arrow.position))
      }
    case .midi(let source, let destination, let filter):
      if isFeedback {
        diagnostics.error(arrow.position, "MIDI cannot feed back (~>); only audio can")
      } else if let channel = filter.channel, channel > 16 {
        diagnostics.error(
          from.text.position, "“\(from.text.value)”: MIDI has channels 1 to 16, not \(channel)")
      } else if let first {
        // Several chains that start at one keyboard are a way to write several instruments.
        if source.unit != nil {
          warnOfSecond(from, to, arrow.position, first)
        }
      } else {
        midiCables.append(
          MIDICable(
            source: source, destination: destination, filter: filter, position: arrow.position))
      }
    }
    firstPositions[link] = first ?? arrow.position
  }

  private func warnOfSecond(
    _ from: ChainEnd, _ to: ChainEnd, _ position: SourcePosition, _ first: SourcePosition
  ) {
    diagnostics.warning(
      position,
      "“\(from.text.value)” is connected to “\(to.text.value)” on line "
        + "\(first.line) already; one cable is made")
  }

  /// Reports why two ends do not fit. Errors of one end alone have been reported before.
  private func refuse(_ from: ChainEnd, _ to: ChainEnd, at position: SourcePosition) {
    guard !from.source.isEmpty, let owner = to.owner else { return }
    let isMIDI = from.source.midi != nil
    let isAudio = from.source.audio != nil
    switch owner {
    case .output:
      diagnostics.error(
        position, "“\(from.text.value)” carries MIDI, “\(to.name)” audio; put an instrument between"
      )
    case .midiOutput:
      diagnostics.error(
        position, "“\(from.text.value)” gives audio, but “\(to.name)” is a MIDI output")
    case .input, .midiInput: break  // in the wrong place, which has been reported
    case .unit:
      guard let facts = to.facts else { return }
      if isMIDI, !isAudio, !facts.hasMIDIInput {
        diagnostics.error(
          position,
          "“\(from.text.value)” carries MIDI, which “\(to.name)” (\(facts.component)) does not take"
        )
      } else if isMIDI, !isAudio, to.destination.audio != nil {
        diagnostics.error(
          to.text.position,
          "“\(from.text.value)” carries MIDI, and “\(to.text.value)” is a bus; write “\(to.name)”")
      } else if isAudio, to.destination.midi != nil, to.isBusNamed {
        diagnostics.error(
          position, "“\(from.text.value)” gives audio, but “\(to.text.value)” takes MIDI")
      } else if isAudio, to.destination.audio == nil, facts.inputBusses.isEmpty {
        let advice = facts.hasMIDIInput ? "; it is played by a MIDI input" : ""
        diagnostics.error(
          to.text.position, "“\(to.name)” (\(facts.component)) has no audio input\(advice)")
      }
    }
  }
}
