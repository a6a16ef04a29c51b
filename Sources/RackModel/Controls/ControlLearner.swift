/// Finds the control that is moved, by the MIDI messages that arrive.
///
/// The first control that is moved counts. Its other messages, such as the fine half of a controller of
/// 14 bits, come within a moment.
package struct ControlLearner: Sendable {
  /// How long after the first message it waits for related messages.
  package static let moment = Duration.milliseconds(200)

  package struct Found: Sendable, Equatable {
    /// The MIDI input that received it.
    package var port: String
    package var source: ControlSource
  }

  /// The last messages of the control, each kind once, in the order in which they came; they bring the
  /// parameter to the control's position.
  package private(set) var moves: [[UInt8]] = []
  private var first: (found: Found, at: ContinuousClock.Instant)?
  /// The non-registered parameter that each channel of a port has selected; its halves, as they come.
  private var selections: [Channel: (coarse: Int?, fine: Int?)] = [:]

  private struct Channel: Hashable {
    var port: String
    var number: Int
  }

  package init() {}

  /// The control that was moved, once it is known.
  package func found(at now: ContinuousClock.Instant) -> Found? {
    guard let first, now - first.at >= Self.moment else { return nil }
    return first.found
  }

  /// Adds a whole message of one of the rack's MIDI inputs.
  package mutating func receive(
    _ bytes: [UInt8], port: String, at now: ContinuousClock.Instant
  ) {
    guard let status = bytes.first, (0x80..<0xF0).contains(status), bytes.count >= 2 else { return }
    let channel = Channel(port: port, number: Int(status & 0x0F) + 1)
    let (number, value) = (Int(bytes[1]), bytes.count > 2 ? Int(bytes[2]) : 0)
    let kind = kind(status & 0xF0, number, value, channel)
    keep(bytes, kind, channel)
    guard let kind else { return }
    if let first {
      guard first.found.port == port, first.found.source.channel == channel.number,
        let joint = Self.joint(first.found.source.kind, kind)
      else { return }
      self.first?.found.source.kind = joint
    } else {
      first = (
        Found(port: port, source: ControlSource(kind: kind, channel: channel.number)), now
      )
    }
  }

  private mutating func keep(_ bytes: [UInt8], _ kind: ControlSource.Kind?, _ channel: Channel) {
    let selects = bytes[0] & 0xF0 == 0xB0 && (98...99).contains(bytes[1])
    if !selects {
      guard let kind else { return }
      if let source = first?.found.source {
        let isPart = kind == source.kind || Self.isPart(kind, of: source.kind)
        guard first?.found.port == channel.port, source.channel == channel.number, isPart else {
          return
        }
      }
    }
    let hasNumber = bytes[0] & 0xF0 != 0xE0 && bytes.count > 2
    moves.removeAll { $0[0] == bytes[0] && (!hasNumber || $0[1] == bytes[1]) }
    moves.append(bytes)
  }

  private mutating func kind(
    _ status: UInt8, _ number: Int, _ value: Int, _ channel: Channel
  ) -> ControlSource.Kind? {
    switch status {
    case 0x90: value > 0 ? .note(number) : nil
    case 0xA0: .keyPressure(number)
    case 0xB0: controller(number, value, channel)
    case 0xC0: .program(number)
    case 0xD0: .pressure
    case 0xE0: .pitchBend
    // The key of a note off was pressed before.
    default: nil
    }
  }

  private mutating func controller(
    _ number: Int, _ value: Int, _ channel: Channel
  ) -> ControlSource.Kind? {
    switch number {
    case 99: selections[channel, default: (nil, nil)].coarse = value
    case 98: selections[channel, default: (nil, nil)].fine = value
    // A registered parameter, which controls do not use.
    case 100, 101: selections[channel] = (nil, nil)
    case 6, 38:
      guard let selection = selections[channel] else { return .controller(number) }
      guard let coarse = selection.coarse, let fine = selection.fine, (coarse, fine) != (127, 127)
      else { return nil }
      return .nonRegisteredParameter(coarse << 7 | fine)
    // A bank, which belongs to a program; steps of a parameter; the modes of a channel.
    case 0, 32, 96, 97, 120...127: break
    default: return .controller(number)
    }
    return nil
  }

  /// Whether a controller is a half of the one found, or the other half of it.
  private static func isPart(_ kind: ControlSource.Kind, of found: ControlSource.Kind) -> Bool {
    if case .fineController(let coarse) = found {
      return kind == .controller(coarse) || kind == .controller(coarse + 32)
    }
    return joint(found, kind) != nil
  }

  /// The controller of 14 bits that two controllers are the halves of; nil for others.
  private static func joint(
    _ one: ControlSource.Kind, _ other: ControlSource.Kind
  ) -> ControlSource.Kind? {
    guard case .controller(let first) = one, case .controller(let second) = other,
      abs(first - second) == 32, min(first, second) < 32
    else { return nil }
    return .fineController(min(first, second))
  }
}
