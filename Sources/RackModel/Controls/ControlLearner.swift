/// Finds the control that is moved, by the MIDI messages that arrive.
///
/// The first thing that is moved is meant. What belongs to it comes within a moment: the fine half of
/// a controller of 14 bits.
public struct ControlLearner: Sendable {
  /// How long after the first message it waits for related messages.
  public static let moment = Duration.milliseconds(200)

  public struct Found: Sendable, Equatable {
    /// The MIDI input that it came by.
    public var port: String
    public var source: ControlSource
  }

  /// The last messages of what was moved, each once, in the order in which they came: what brings a
  /// new control to where it stands.
  public private(set) var moves: [[UInt8]] = []
  private var first: (found: Found, at: ContinuousClock.Instant)?
  /// The non-registered parameter that each channel of a port speaks of; its halves, as they come.
  private var selections: [Channel: (coarse: Int?, fine: Int?)] = [:]

  private struct Channel: Hashable {
    var port: String
    var number: Int
  }

  public init() {}

  /// The control that was moved, once it is known.
  public func found(at now: ContinuousClock.Instant) -> Found? {
    guard let first, now - first.at >= Self.moment else { return nil }
    return first.found
  }

  /// Takes a whole message of one of the rack's MIDI inputs.
  public mutating func hear(
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
        Found(port: port, source: ControlSource(kind, channel: channel.number)), now
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
    // A key that is let go was struck before.
    default: nil
    }
  }

  private mutating func controller(
    _ number: Int, _ value: Int, _ channel: Channel
  ) -> ControlSource.Kind? {
    switch number {
    case 99: selections[channel, default: (nil, nil)].coarse = value
    case 98: selections[channel, default: (nil, nil)].fine = value
    // A registered one, which no control listens to.
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

  /// Whether a controller is a half of what was found, or may make one with it.
  private static func isPart(_ kind: ControlSource.Kind, of found: ControlSource.Kind) -> Bool {
    if case .fineController(let coarse) = found {
      return kind == .controller(coarse) || kind == .controller(coarse + 32)
    }
    return joint(found, kind) != nil
  }

  /// One controller of two halves, where the two are that.
  private static func joint(
    _ one: ControlSource.Kind, _ other: ControlSource.Kind
  ) -> ControlSource.Kind? {
    guard case .controller(let first) = one, case .controller(let second) = other,
      abs(first - second) == 32, min(first, second) < 32
    else { return nil }
    return .fineController(min(first, second))
  }
}
