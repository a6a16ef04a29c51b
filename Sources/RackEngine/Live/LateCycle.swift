/// A cycle that came late, and the units that took most of it.
public struct LateCycle: Sendable, Codable, Equatable {
  public struct Unit: Sendable, Codable, Equatable {
    public var name: String
    public var nanoseconds: Double
    /// The share of the time between two cycles, 0...1 and above.
    public var share: Double
  }

  /// The time of the whole rack, nanoseconds.
  public var nanoseconds: Double
  /// The share of the time between two cycles, 0...1 and above.
  public var share: Double
  /// The up to three units that took longest in that cycle, longest first.
  public var units: [Unit]
  /// Up to three units in other processes that did not answer in time.
  public var late: [String]
}

extension LateCycle: CustomStringConvertible {
  /// `the rack took 112.4 % of a cycle: echo 80.2 % (2133 µs), ring 9.0 % (240 µs);
  /// no answer in time: room`
  public var description: String {
    let blamed = units.map { unit in
      "\(unit.name) \(Self.percent(unit.share)) (\(Int(unit.nanoseconds / 1000)) µs)"
    }
    return "the rack took \(Self.percent(share)) of a cycle"
      + (blamed.isEmpty ? "" : ": \(blamed.joined(separator: ", "))")
      + (late.isEmpty ? "" : "; no answer in time: \(late.joined(separator: ", "))")
  }

  private static func percent(_ share: Double) -> String {
    "\((share * 1000).rounded() / 10) %"
  }
}
