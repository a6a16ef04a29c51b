import AsyncSupport
import CIO
import CJack

extension JackClient {
  /// The tempo of the last cycle, beats per minute, or 0, and whether another client sets it.
  package nonisolated var tempo: (beats: Double, isForeign: Bool) {
    var isForeign = false
    let beats = timing.read { bl_jack_client_tempo($0, &isForeign) } ?? 0
    return (beats, isForeign)
  }

  /// The transport's frame in the last cycle, and whether it is rolling.
  package nonisolated var transport: (frame: UInt32, rolls: Bool) {
    var rolls = false
    let frame = timing.read { bl_jack_client_transport($0, &rolls) } ?? 0
    return (frame, rolls)
  }

  /// Sets the tempo to use unless another client sets one, beats per minute; nil for the graph's
  /// own.
  package nonisolated func setTempo(_ tempo: Double?) {
    _ = timing.read { bl_jack_client_set_tempo($0, tempo ?? 0) }
  }

  /// The MIDI messages dropped so far, because a cycle had no room or because they were invalid; nil once
  /// the client is closed.
  package nonisolated var midiDropped: (lost: Int, malformed: Int)? {
    timing.read { (Int(bl_jack_client_midi_lost($0)), Int(bl_jack_client_midi_malformed($0))) }
  }

  /// Sends bars and beats to other clients from now on; returns false if another client does.
  package func becomeTimebaseMaster() -> Bool {
    state == .active && bl_jack_client_become_timebase_master(callbacks)
  }

  package func startTransport() {
    if state == .active { library.pointee.jack_transport_start(jack) }
  }

  package func stopTransport() {
    if state == .active { library.pointee.jack_transport_stop(jack) }
  }

  package func locate(_ frame: UInt32) {
    if state == .active { _ = library.pointee.jack_transport_locate(jack, frame) }
  }

  /// Moves the transport of a new server to the position on the former server, unless it has been moved
  /// already: the units' musical time must not jump back.
  func restoreTransport(_ saved: JackSavedState) async {
    var position = jack_position_t()
    let state = library.pointee.jack_transport_query(jack, &position)
    let seconds = Double(saved.counters.transport_frame) / saved.sampleRate
    // JACK's 32-bit frame count may overflow at another rate.
    guard let frame = UInt32(exactly: (seconds * sampleRate).rounded()), frame > 0,
      position.frame == 0, state == JackTransportStopped,
      library.pointee.jack_transport_locate(jack, frame) == 0
    else { return }
    // The transport moves with one of the next cycles.
    for _ in 0..<10 where position.frame == 0 {
      guard await waitForCycle(within: .milliseconds(200)), !isClosed else { return }
      _ = library.pointee.jack_transport_query(jack, &position)
    }
  }

  /// The kernel's current time by JACK's clock, frames modulo 2^32, and the instant; nil until a graph
  /// plays, and once the client is closed.
  package var frameNow: (frame: UInt32, instant: ContinuousClock.Instant)? {
    guard let origin else { return nil }
    var best: (frame: UInt32, instant: ContinuousClock.Instant, span: Duration)?
    // The thread may be preempted between the two clocks.
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

/// Access from any thread to the state of a client's callbacks, until the client is closed.
final class JackTiming: Sendable {
  private let callbacks: Guarded<SendablePointer?>

  /// Unchecked Sendable: its functions may be called on any thread.
  private struct SendablePointer: @unchecked Sendable { var pointer: OpaquePointer }

  init(_ pointer: OpaquePointer) { callbacks = Guarded(SendablePointer(pointer: pointer)) }

  /// Returns the result of `body`; nil once the client is closed.
  func read<Answer: Sendable>(_ body: (OpaquePointer) -> Answer) -> Answer? {
    callbacks.withLock { $0.map { body($0.pointer) } }
  }

  func close() { callbacks.withLock { $0 = nil } }
}
