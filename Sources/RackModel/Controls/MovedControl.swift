/// A control that sends messages while one is learned, and what they tell about it.
struct MovedControl {
  let port: String
  private(set) var source: ControlSource
  /// When it began to move.
  let start: ContinuousClock.Instant
  /// Its last messages, each kind once, in the order in which they came; they bring a parameter to its
  /// position.
  private(set) var moves: [[UInt8]] = []
  /// Its positions, 0 to 127, in the order in which they came.
  private var values: [Int] = []
  /// Of a key.
  var isHeld = false

  init(_ source: ControlSource, port: String, at start: ContinuousClock.Instant) {
    (self.source, self.port, self.start) = (source, port, start)
    isHeld = source.isKey
  }

  /// Adds a message of the control, or of the other half of a controller of 14 bits; false for another's.
  mutating func add(_ bytes: [UInt8], _ kind: ControlSource.Kind, value: Int?) -> Bool {
    guard let joint = ControlSource.joint(source.kind, kind) else { return false }
    if joint != source.kind {
      // The fine half alone is no position.
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
  /// What encoders and switches do, and no knob.
  private var repeats: Int { steps.count { $0 == 0 } }

  /// A wheel that trembles travels less.
  private static let leastTravel = 3

  /// How far it has moved, in steps of a controller. A key or a program is more than a wheel that trembles,
  /// and less than a fader that is moved while its cap is touched.
  var travel: Int {
    switch source.kind {
    case .note, .program: return Self.leastTravel + 1
    default: break
    }
    guard let low = values.min(), let high = values.max() else { return 0 }
    return (low == high && high >= 64 ? Self.leastTravel : high - low) + repeats
  }

  /// Whether a moment more would tell what it is: a key that may be the touch of a fader, a switch that may
  /// be released, an encoder that has turned in one direction, what has hardly moved.
  var isDoubtful: Bool {
    isHeld || travel < Self.leastTravel || button == .latching || encoder?.isCertain == false
  }

  /// The mode for a parameter that is on or off; nil for what is no button. A switch that has sent only 127
  /// sends nothing at its release, or 0 at its next press.
  var button: ControlMode? {
    switch source.kind {
    case .note, .program: return .toggle
    case .controller, .nonRegisteredParameter: break
    default: return nil
    }
    guard encoder == nil, values.allSatisfy({ $0 == 0 || $0 == 127 }) else { return nil }
    return Set(values).count == 2 ? .toggle : .latching
  }

  /// How an endless encoder sends these values, and whether only such a one does; nil for what is none. A
  /// knob with ends never says the same twice, and does not jump from one end to the other.
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
    // A switch that sends 127 is not pressed so often.
    guard isTwosComplement, values.count > 3 || values.contains(where: { $0 < 127 }) else {
      return nil
    }
    return (.twosComplement, values.contains { $0 > 64 })
  }
}
