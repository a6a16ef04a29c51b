import CUnitService
import Glibc

/// The time that it takes to wake a thread, by processor, nanoseconds.
package struct WakeCosts: Sendable, Equatable {
  /// The time on the processor of the waking thread; 0 if it cannot be measured.
  package var same: Int
  /// The time on another processor; nil if there is none.
  package var other: Int?

  /// Measures both times for real-time threads of a priority (0: SCHED_OTHER), from a thread on
  /// `processor`. Blocks for at most 0.2 s.
  package static func measure(processor: Int, priority: Int) -> WakeCosts {
    func cost(_ other: Int) -> Int {
      Int(bl_service_wake_cost(Int32(processor), Int32(other), Int32(priority)))
    }
    let same = cost(processor)
    guard same > 0 else { return WakeCosts(same: 0, other: nil) }
    // Use the first other processor that this process may use.
    let others = (0..<Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))).lazy.filter { $0 != processor }
    return WakeCosts(same: same, other: others.map(cost).first { $0 > 0 })
  }
}
