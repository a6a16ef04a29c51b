/// An expression of a single note, whatever its channel; the numbers are those of the unit ABI.
public enum NoteExpression: UInt8, Sendable, CaseIterable, CustomStringConvertible {
  /// The pitch above the key's, semitones.
  case pitch
  /// The pressure; the higher of it and the channel's counts.
  case pressure
  /// The timbre; the higher of it and the channel's counts.
  case timbre
  /// The gain, a factor.
  case gain
  /// The position, -1 (left) to 1 (right).
  case pan

  public var range: ClosedRange<Float> {
    switch self {
    case .pitch: -120...120
    case .pressure, .timbre: 0...1
    case .gain: 0...4
    case .pan: -1...1
    }
  }

  public var description: String {
    switch self {
    case .pitch: "pitch"
    case .pressure: "pressure"
    case .timbre: "timbre"
    case .gain: "gain"
    case .pan: "pan"
    }
  }
}
