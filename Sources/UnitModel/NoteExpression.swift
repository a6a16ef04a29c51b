/// What a single note can do, whatever its channel; the numbers are those of the unit ABI.
public enum NoteExpression: UInt8, Sendable, CaseIterable, CustomStringConvertible {
  /// Semitones above the key's.
  case pitch
  /// The higher of it and the channel's counts.
  case pressure
  /// The higher of it and the channel's counts.
  case timbre
  /// A factor.
  case gain
  /// -1, left, to 1, right.
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
