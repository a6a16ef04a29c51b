/// The position to which a person has moved a box of a rack's graph: its left and upper edge, as in
/// `DrawnRack.Box`.
public struct BoxPlace: Sendable, Codable, Equatable {
  public var x: Double
  public var y: Double

  /// The largest coordinate in either direction.
  package static let furthest = 10_000

  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}
