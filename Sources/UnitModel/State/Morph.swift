import Glibc

/// The ramps from one set of values to another over time.
///
/// A parameter moves evenly along its curve, so that a cutoff passes the same number of octaves in
/// every second. Switches change half-way.
public struct Morph: Sendable {
  /// A change at a frame from the start of the morph.
  public struct Step: Sendable, Equatable {
    public var frame: Int
    public var address: UInt64
    /// The value at the end of the ramp.
    public var value: Float
    /// The ramp's length, frames; 0 for an immediate change.
    public var ramp: Int
  }

  /// The changes, sorted by time.
  public private(set) var steps: [Step] = []

  /// The most line segments that approximate a curve: with 32, a cutoff that moves ten octaves is at
  /// most 0.6 % off.
  private static let maximumPieces = 32

  /// Creates the ramps from `start` to `end`, by address, in `frames` frames. Parameters missing in
  /// either have their defaults there; those that do not move are left out.
  public init(
    from start: [UInt64: Float], to end: [UInt64: Float], of facts: UnitFacts,
    inputBusCount: Int? = nil, frames: Int
  ) {
    for parameter in facts.allParameters(inputBusCount: inputBusCount)
    where parameter.info.isStored {
      let info = parameter.info
      let from = start[parameter.address] ?? info.defaultValue
      let to = end[parameter.address] ?? info.defaultValue
      guard from != to else { continue }
      if frames <= 0 {
        steps.append(Step(frame: 0, address: parameter.address, value: to, ramp: 0))
      } else if info.isWhole {
        steps.append(Step(frame: frames / 2, address: parameter.address, value: to, ramp: 0))
      } else {
        travel(parameter.address, info, from, to, frames)
      }
    }
    steps.sort { ($0.frame, $0.address) < ($1.frame, $1.address) }
  }

  private mutating func travel(
    _ address: UInt64, _ info: ParameterInfo, _ from: Float, _ to: Float, _ frames: Int
  ) {
    let isRampable = info.flags.contains(.rampable)
    let isStraight = info.curve == .linear && isRampable
    let pieces = isStraight ? 1 : min(Self.maximumPieces, frames)
    for piece in 0..<pieces {
      let (first, last) = (frames * piece / pieces, frames * (piece + 1) / pieces)
      let value =
        piece == pieces - 1
        ? to : info.value(from: from, to: to, share: Double(piece + 1) / Double(pieces))
      steps.append(
        Step(
          frame: isRampable ? first : last, address: address, value: value,
          ramp: isRampable ? last - first : 0))
    }
  }
}

extension ParameterInfo {
  /// Returns the value at `share` (0 to 1) of the knob's travel from one value to another.
  public func value(from: Float, to: Float, share: Double) -> Float {
    let (start, end) = (Double(from), Double(to))
    switch curve {
    case .logarithmic where start > 0 && end > 0:
      return Float(start * pow(end / start, share))
    case .squared where start >= Double(minimum) && end >= Double(minimum):
      let lowest = Double(minimum)
      let root = (start - lowest).squareRoot()
      let way = (end - lowest).squareRoot() - root
      let place = root + way * share
      return Float(lowest + place * place)
    default: return Float(start + (end - start) * share)
    }
  }

  /// Returns the knob's whole travel at the slope that the curve has at `value`.
  public func way(at value: Float) -> Double {
    let (lowest, range) = (Double(minimum), Double(maximum) - Double(minimum))
    switch curve {
    case .logarithmic where minimum > 0:
      return Double(max(value, minimum)) * log(Double(maximum) / lowest)
    case .squared: return 2 * (range * max(0, Double(value) - lowest)).squareRoot()
    default: return range
    }
  }
}
