import CJack

extension JackClient {
  /// Frames of the kernel's time, modulo 2^32, as JACK's clock has them, and when; nil until a graph
  /// plays, and once it is closed.
  package var frameNow: (frame: UInt32, instant: ContinuousClock.Instant)? {
    guard let origin else { return nil }
    var best: (frame: UInt32, instant: ContinuousClock.Instant, span: Duration)?
    // A thread may be held up between looking at the one clock and at the other.
    for _ in 0..<5 {
      let before = ContinuousClock.now
      let frame = library.pointee.jack_frame_time(jack)
      let span = before.duration(to: .now)
      if best.map({ span < $0.span }) ?? true {
        best = (frame &- origin, before + span / 2, span)
      }
    }
    return best.map { ($0.frame, $0.instant) }
  }
}
