/// Finds the control that a person moves, from the MIDI messages that arrive.
///
/// The control that moves farthest is chosen, and the first of two that move alike: a wheel may jitter
/// meanwhile, and a fader may send a note when it is touched. A control's other messages, such as the fine
/// half of a 14-bit controller, arrive within `moment`.
package struct ControlLearner: Sendable {
  /// The time to wait for more messages after the first.
  package static let moment = Duration.milliseconds(200)
  /// The timeout after which a doubtful control is accepted, from its first message.
  package static let waitingTime = Duration.seconds(1)

  package struct Found: Sendable, Equatable {
    /// The MIDI input that received it.
    package var port: String
    package var source: ControlSource
    /// The mode for an on/off parameter, if the control is a button.
    package var button: ControlMode?
    /// The encoding of the clicks, if the control is an endless encoder.
    package var encoder: ControlMode?
    /// The note that the control sends when it is touched.
    package var touch: ControlSource?
  }

  /// The controls in the order in which they started to move.
  private var controls: [MovedControl] = []
  /// The non-registered parameter that each channel of a port has selected.
  private var selections: [Channel: Selection] = [:]

  private struct Channel: Hashable {
    var port: String
    var number: Int
  }

  /// The selection of a non-registered parameter, from the messages of its two halves.
  private struct Selection {
    private(set) var messages: [[UInt8]] = []

    mutating func add(_ bytes: [UInt8]) {
      messages.removeAll { $0[1] == bytes[1] }
      messages.append(bytes)
    }

    /// The parameter's number; nil without both halves, and for 127 in both, which selects none.
    var number: Int? {
      guard let coarse = messages.first(where: { $0[1] == 99 }),
        let fine = messages.first(where: { $0[1] == 98 })
      else { return nil }
      let number = Int(coarse[2]) << 7 | Int(fine[2])
      return number == 16_383 ? nil : number
    }
  }

  package init() {}

  private var best: MovedControl? {
    controls.dropFirst().reduce(controls.first) { best, control in
      best.map { control.travel > $0.travel ? control : $0 }
    }
  }

  /// Returns the last message of each kind from a control that was found, in order of arrival. They set the
  /// parameter to the control's position.
  package func moves(of found: Found) -> [[UInt8]] {
    let control = controls.first { $0.port == found.port && $0.source == found.source }
    guard case .nonRegisteredParameter = found.source.kind else { return control?.moves ?? [] }
    let channel = Channel(port: found.port, number: found.source.channel ?? 1)
    return (selections[channel]?.messages ?? []) + (control?.moves ?? [])
  }

  /// Returns the control that was moved; nil until it is certain, or `waitingTime` has passed.
  package func found(at now: ContinuousClock.Instant) -> Found? {
    guard let first = controls.first, let best, now - first.start >= Self.moment,
      !best.isDoubtful || now - best.start >= Self.waitingTime
    else { return nil }
    let touch = best.source.isKey ? nil : controls.first { $0.source.isKey && $0.port == best.port }
    return Found(
      port: best.port, source: best.source, button: best.button, encoder: best.encoder?.mode,
      touch: touch?.source)
  }

  /// Adds a complete message of one of the rack's MIDI inputs.
  package mutating func receive(
    _ bytes: [UInt8], port: String, at now: ContinuousClock.Instant
  ) {
    guard let status = bytes.first, (0x80..<0xF0).contains(status), bytes.count >= 2 else { return }
    let channel = Channel(port: port, number: Int(status & 0x0F) + 1)
    let (number, value) = (Int(bytes[1]), bytes.count > 2 ? Int(bytes[2]) : 0)
    switch status & 0xF0 {
    case 0x80: release(number, channel)
    case 0x90 where value == 0: release(number, channel)
    case 0x90: add(bytes, .note(number), value: 127, channel, at: now)
    // The key that was pressed before is meant.
    case 0xA0 where hasKey(channel), 0xD0 where hasKey(channel): break
    case 0xA0: add(bytes, .keyPressure(number), value: value, channel, at: now)
    case 0xD0: add(bytes, .pressure, value: number, channel, at: now)
    case 0xB0: receiveController(bytes, channel, at: now)
    case 0xC0: add(bytes, .program(number), value: 127, channel, at: now)
    default: add(bytes, .pitchBend, value: value, channel, at: now)
    }
  }

  private func hasKey(_ channel: Channel) -> Bool {
    controls.contains {
      $0.source.isKey && $0.port == channel.port && $0.source.channel == channel.number
    }
  }

  private mutating func release(_ key: Int, _ channel: Channel) {
    let source = ControlSource(kind: .note(key), channel: channel.number)
    for index in controls.indices
    where controls[index].port == channel.port && controls[index].source == source {
      controls[index].isHeld = false
    }
  }

  private mutating func receiveController(
    _ bytes: [UInt8], _ channel: Channel, at now: ContinuousClock.Instant
  ) {
    let (number, value) = (Int(bytes[1]), bytes.count > 2 ? Int(bytes[2]) : 0)
    switch number {
    case 98, 99: selections[channel, default: Selection()].add(bytes)
    // A registered parameter, which controls do not use.
    case 100, 101: selections[channel] = Selection()
    case 6, 38:
      guard let selection = selections[channel] else {
        return add(bytes, .controller(number), value: value, channel, at: now)
      }
      guard let parameter = selection.number else { return }
      add(
        bytes, .nonRegisteredParameter(parameter), value: number == 6 ? value : nil, channel,
        at: now)
    // Bank select belongs to a program; data increment and decrement; channel modes.
    case 0, 32, 96, 97, 120...127: break
    default: add(bytes, .controller(number), value: value, channel, at: now)
    }
  }

  private mutating func add(
    _ bytes: [UInt8], _ kind: ControlSource.Kind, value: Int?, _ channel: Channel,
    at now: ContinuousClock.Instant
  ) {
    for index in controls.indices
    where controls[index].port == channel.port && controls[index].source.channel == channel.number {
      if controls[index].add(bytes, kind, value: value) { return }
    }
    let source = ControlSource(kind: kind, channel: channel.number)
    var control = MovedControl(source, port: channel.port, at: now)
    _ = control.add(bytes, kind, value: value)
    controls.append(control)
  }
}
