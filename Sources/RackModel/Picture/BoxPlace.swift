/// Where a person has put a box of a rack's graph: its left and its upper edge, as in `DrawnRack.Box`.
public struct BoxPlace: Sendable, Codable, Equatable {
  public var x: Double
  public var y: Double

  /// The furthest place in either direction.
  package static let furthest = 10_000

  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}
