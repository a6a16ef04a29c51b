import Synchronization

/// Folds xruns into a line a second, since a machine that is too slow has hundreds.
final class XrunTally: Sendable {
  private struct State {
    var count = 0
    var total = 0
    var longest: (unit: String, nanoseconds: Double)?
  }

  private let state = Mutex(State())

  /// Counts one; it is told within a second.
  func add(total: Int, unit: String?, nanoseconds: Double) {
    let isFirst = state.withLock { state in
      state.count += 1
      state.total = max(state.total, total)
      if let unit, nanoseconds >= state.longest?.nanoseconds ?? 0 {
        state.longest = (unit, nanoseconds)
      }
      return state.count == 1
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: .seconds(1))
      tell()
    }
  }

  /// Tells what has not been told.
  func tell() {
    if let line = take() { Terminal.write("\(line)\n") }
  }

  /// One line about the xruns since the last; nil where there were none.
  func take() -> String? {
    state.withLock { state in
      defer { state = State(total: state.total) }
      guard state.count > 0 else { return nil }
      let longest = state.longest.map {
        "; longest in those cycles: \($0.unit), \(Int($0.nanoseconds / 1000)) µs"
      }
      let count = state.count == 1 ? "1 xrun" : "\(state.count) xruns"
      return "\(count), \(max(state.total, state.count)) in all\(longest ?? "")"
    }
  }
}
