import AsyncSupport
import CIO
import CJack

extension JackClient {
  /// Of the cycle played last, beats per minute, or 0; and is it another client's?
  package nonisolated var tempo: (beats: Double, isAnothers: Bool) {
    var isAnothers = false
    let beats = timing.read { bl_jack_client_tempo($0, &isAnothers) } ?? 0
    return (beats, isAnothers)
  }

  /// The transport's frame in the cycle played last, and does it roll?
  package nonisolated var transport: (frame: UInt32, rolls: Bool) {
    var rolls = false
    let frame = timing.read { bl_jack_client_transport($0, &rolls) } ?? 0
    return (frame, rolls)
  }

  /// Where no other client sets it; nil for the graph's own. Beats per minute
  package nonisolated func setTempo(_ tempo: Double?) {
    _ = timing.read { bl_jack_client_set_tempo($0, tempo ?? 0) }
  }

  /// From now on other clients have bars and beats from us; false where another is there first.
  package func takeTimebase() -> Bool {
    state == .active && bl_jack_client_take_timebase(callbacks)
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
}

/// The way to what a client's callbacks know, for as long as they are there.
final class JackTiming: Sendable {
  private let callbacks: Guarded<SendablePointer?>

  /// Unchecked Sendable: what is asked by it may be asked on any thread.
  private struct SendablePointer: @unchecked Sendable { var pointer: OpaquePointer }

  init(_ pointer: OpaquePointer) { callbacks = Guarded(SendablePointer(pointer: pointer)) }

  /// Nil once it is closed.
  func read<Answer: Sendable>(_ body: (OpaquePointer) -> Answer) -> Answer? {
    callbacks.withLock { $0.map { body($0.pointer) } }
  }

  func close() { callbacks.withLock { $0 = nil } }
}
