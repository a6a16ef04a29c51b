import Dispatch

/// A dispatch source that delivers events only while it is on.
struct SwitchedSource {
  private let source: any DispatchSourceProtocol
  private var isOn = false

  /// - Parameter kept: the descriptor of the source, which stays open until the source is cancelled.
  init(
    _ source: any DispatchSourceProtocol, keeping kept: ControlPeer.Descriptor,
    _ report: @escaping @Sendable () -> Void
  ) {
    self.source = source
    source.setEventHandler(handler: report)
    source.setCancelHandler { withExtendedLifetime(kept) {} }
  }

  mutating func turn(on: Bool) {
    guard on != isOn else { return }
    if on { source.resume() } else { source.suspend() }
    isOn = on
  }

  /// Cancels the source.
  mutating func cancel() {
    source.cancel()
    // A suspended source is never released.
    turn(on: true)
  }
}
