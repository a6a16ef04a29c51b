import CUnitService
import Glibc

/// The time that it takes to wake a thread, by its processor. Nanoseconds
package struct WakeCosts: Sendable, Equatable {
  /// On the processor of the thread that wakes it; 0 where it cannot be measured.
  package var same: Int
  /// On another processor; nil where there is none.
  package var other: Int?

  /// Measures both for threads of a real-time priority (0: SCHED_OTHER) beside a thread on
  /// `processor`. Blocks for at most a fifth of a second.
  package static func measure(processor: Int, priority: Int) -> WakeCosts {
    func cost(_ other: Int) -> Int {
      Int(bl_service_wake_cost(Int32(processor), Int32(other), Int32(priority)))
    }
    let same = cost(processor)
    guard same > 0 else { return WakeCosts(same: 0, other: nil) }
    // The first that this process may use.
    let others = (0..<Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))).lazy.filter { $0 != processor }
    return WakeCosts(same: same, other: others.map(cost).first { $0 > 0 })
  }
}
