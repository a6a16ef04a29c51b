import Glibc
import UnitModel

/// A checked automation lane: the values of a parameter or a bypass along the transport.
public struct PlannedLane: Sendable, Equatable {
  public struct Point: Sendable, Equatable {
    /// The time from the transport's start, in seconds or beats as `clock` says.
    public var time: Double
    /// The value in the parameter's unit and range.
    public var value: Float
  }

  /// The unit of a lane's times.
  public enum Clock: Sendable, Equatable { case seconds, beats }

  public enum Curve: Sendable, Equatable {
    /// Keeps the value of each point until the next.
    case hold
    case along(ParameterCurve)
  }

  public var target: ControlTarget
  public var clock: Clock
  public var curve: Curve
  /// The points in order of time, at least one. Two points at one time are a jump to the second value.
  public var points: [Point]
  /// The parameter's description, which limits how its value can move.
  public var info: ParameterInfo

  /// Returns the time of the last point in seconds; `tempo` is in beats per minute.
  public func end(tempo: Double) -> Double {
    let last = points.last?.time ?? 0
    return clock == .beats ? last * 60 / tempo : last
  }

  /// A ramp, or a step where its length is 0.
  public struct Piece: Sendable, Equatable {
    public var start: Double
    public var end: Double
    public var from: Float
    public var to: Float
  }

  /// The most straight pieces between two points of a curve that is not logarithmic, as in `Morph`.
  private static let maximumPieces = 32
  /// The logarithm of the ratio that one straight line of a logarithmic curve spans: it is then at most
  /// 0.8 cents from the curve (216 · 0.06²).
  private static let longestRatio = 0.06

  /// Returns the lane as straight pieces in order of time, at least one.
  ///
  /// - Parameters:
  ///   - jump: the length of a step in the lane's time. A ramp that starts with a step starts after it.
  ///   - frame: the length of a frame in the lane's time; pieces end on its multiples. Nil where it is
  ///     unknown, as in beats.
  public func pieces(jump: Double, frame: Double? = nil) -> [Piece] {
    guard let first = points.first else { return [] }
    var pieces = [Piece(start: first.time, end: first.time, from: first.value, to: first.value)]
    for (before, point) in zip(points, points.dropFirst()) {
      guard case .along(let curve) = curve, point.time > before.time else {
        pieces.append(
          Piece(start: point.time, end: point.time, from: before.value, to: point.value))
        continue
      }
      travel(from: before, to: point, curve, jump: jump, frame: frame, into: &pieces)
    }
    return pieces
  }

  private func travel(
    from before: Point, to point: Point, _ curve: ParameterCurve, jump: Double,
    frame: Double?, into pieces: inout [Piece]
  ) {
    var info = info
    info.curve = curve
    let isRampable = info.flags.contains(.rampable)
    let length = point.time - before.time
    let isStraight = isRampable && (curve == .linear || before.value == point.value)
    var count =
      isStraight
      ? 1 : max(1, min(Self.maximumPieces, Int(clamping: (length / jump).rounded(.down))))
    if isRampable, !isStraight, curve == .logarithmic, before.value > 0, point.value > 0 {
      let ratio = abs(log(Double(point.value) / Double(before.value)))
      let maximum = frame.map { Int(clamping: (length / $0).rounded(.down)) } ?? .max
      count = max(1, min(Int(clamping: (ratio / Self.longestRatio).rounded(.up)), maximum))
    }
    var last = (time: before.time, value: before.value)
    // The jump goes to the curve's value at the jump's end.
    if let step = pieces.last, step.start == step.end, step.end == before.time {
      if step.from == step.to, pieces.count == 1 {
        pieces.removeLast()
      } else if isRampable {
        last.time += min(jump, length / 2)
        last.value = info.value(
          from: before.value, to: point.value, share: (last.time - before.time) / length)
        pieces[pieces.count - 1].to = last.value
      }
    }
    for number in 1...count {
      var end = before.time + length * Double(number) / Double(count)
      end = number == count ? point.time : frame.map { (end / $0).rounded() * $0 } ?? end
      let share = (end - before.time) / length
      let value =
        number == count
        ? point.value : info.value(from: before.value, to: point.value, share: share)
      guard end > last.time else { continue }
      pieces.append(
        Piece(start: isRampable ? last.time : end, end: end, from: last.value, to: value))
      last = (end, value)
    }
  }
}
