import Dispatch

/// Runs a closure on a queue at regular intervals, until it is freed.
package final class RepeatingTimer: @unchecked Sendable {
  private let source: any DispatchSourceTimer

  /// - Parameter interval: seconds.
  package init(
    every interval: Double, on queue: DispatchQueue, run: @escaping @Sendable () -> Void
  ) {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(5))
    source.setEventHandler(handler: run)
    source.activate()
  }

  deinit { source.cancel() }
}
