/// A control that sends messages during learning, and the properties derived from them.
struct MovedControl {
  let port: String
  private(set) var source: ControlSource
  /// The time of the first message.
  let start: ContinuousClock.Instant
  /// The last message of each kind, in order of arrival. They set a parameter to the control's position.
  private(set) var moves: [[UInt8]] = []
  /// The control's positions, 0 to 127, in order of arrival.
  private var values: [Int] = []
  /// Whether the control is a key that is held down.
  var isHeld = false

  init(_ source: ControlSource, port: String, at start: ContinuousClock.Instant) {
    (self.source, self.port, self.start) = (source, port, start)
    isHeld = source.isKey
  }

  /// Adds a message of the control, or of the other half of a 14-bit controller; returns false for another
  /// control's message.
  mutating func add(_ bytes: [UInt8], _ kind: ControlSource.Kind, value: Int?) -> Bool {
    guard let joint = ControlSource.joint(source.kind, kind) else { return false }
    if joint != source.kind {
      // The fine half alone is not a position.
      if case .controller(let number) = source.kind, number >= 32 { values = [] }
      source.kind = joint
    }
    let hasNumber = bytes[0] & 0xF0 != 0xE0 && bytes.count > 2
    moves.removeAll { $0[0] == bytes[0] && (!hasNumber || $0[1] == bytes[1]) }
    moves.append(bytes)
    if case (.fineController, .controller(32...)) = (joint, kind) { return true }
    if let value { values.append(value) }
    return true
  }

  private var steps: [Int] { zip(values, values.dropFirst()).map { $1 - $0 } }
  /// The number of repeated values: encoders and switches repeat them, and knobs do not.
  private var repeats: Int { steps.count { $0 == 0 } }

  /// The least travel of a control that is moved on purpose, in controller steps; a jittering wheel travels
  /// less.
  private static let leastTravel = 3

  /// The distance that the control has moved, in controller steps. A key or a program counts more than a
  /// jittering wheel, and less than a fader that is moved while its cap is touched.
  var travel: Int {
    switch source.kind {
    case .note, .program: return Self.leastTravel + 1
    default: break
    }
    guard let low = values.min(), let high = values.max() else { return 0 }
    return (low == high && high >= 64 ? Self.leastTravel : high - low) + repeats
  }

  /// Whether later messages may still change the result: a key that may be the touch of a fader, a switch
  /// that may be released, an encoder that has turned in one direction only, or a control that has hardly
  /// moved.
  var isDoubtful: Bool {
    isHeld || travel < Self.leastTravel || button == .latching || encoder?.isCertain == false
  }

  /// The mode for an on/off parameter; nil if the control is no button. A switch that has sent only 127 is
  /// latching, until it sends 0.
  var button: ControlMode? {
    switch source.kind {
    case .note, .program: return .toggle
    case .controller, .nonRegisteredParameter: break
    default: return nil
    }
    guard encoder == nil, values.allSatisfy({ $0 == 0 || $0 == 127 }) else { return nil }
    return Set(values).count == 2 ? .toggle : .latching
  }

  /// The encoding of an endless encoder, and whether only an encoder sends such values; nil if the control
  /// is no encoder. A knob with ends never repeats a value, and does not jump from one end to the other.
  var encoder: (mode: ControlMode, isCertain: Bool)? {
    guard case .controller = source.kind, values.count > 2 else { return nil }
    let isTwosComplement = values.allSatisfy { (1...16).contains($0) || $0 >= 112 }
    let isSignAndMagnitude = values.allSatisfy { (1...16).contains($0) || (65...80).contains($0) }
    let isBinaryOffset = values.allSatisfy { (48...80).contains($0) && $0 != 64 }
    let jumps = steps.contains { abs($0) > 32 }
    if isTwosComplement, jumps { return (.twosComplement, true) }
    if isSignAndMagnitude, jumps { return (.signAndMagnitude, true) }
    guard repeats > 0 else { return nil }
    if isBinaryOffset { return (.binaryOffset, values.contains { $0 < 64 }) }
    // A switch that sends 127 is not pressed as often as this.
    guard isTwosComplement, values.count > 3 || values.contains(where: { $0 < 127 }) else {
      return nil
    }
    return (.twosComplement, values.contains { $0 > 64 })
  }
}
