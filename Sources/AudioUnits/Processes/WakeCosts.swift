import CUnitService
import Glibc

/// What it costs to wake a thread, by where it runs.
public struct WakeCosts: Sendable, Equatable {
  /// On the processor of whoever wakes it; 0 where it cannot be measured. Nanoseconds
  public var same: Int
  /// On another; nil where there is none.
  public var other: Int?

  public init(same: Int, other: Int?) {
    self.same = same
    self.other = other
  }

  /// Measures them for threads of a real-time priority (0: the usual) beside one on a processor.
  /// Takes a fifth of a second at the most; blocks.
  public static func measure(processor: Int, priority: Int) -> WakeCosts {
    func cost(_ other: Int) -> Int {
      Int(bl_service_wake_cost(Int32(processor), Int32(other), Int32(priority)))
    }
    let same = cost(processor)
    let count = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    // The first that we may run on.
    let others = same > 0 ? (0..<count).lazy.filter { $0 != processor }.map(cost) : nil
    let neighbour = others?.first { $0 > 0 } ?? 0
    return WakeCosts(same: same, other: neighbour > 0 ? neighbour : nil)
  }
}
