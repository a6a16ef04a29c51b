import CIO

extension JackClient {
  /// Handles and forwards the events of JACK's threads.
  func receiveEvents() {
    guard state != .closed else { return }
    let events = bl_jack_client_pop_events(callbacks)
    func has(_ kind: Int) -> Bool { events.kinds & UInt32(kind) != 0 }
    if has(BL_JACK_EVENT_BUFFER_SIZE) {
      continuation.yield(.bufferSize(Int(events.buffer_size)))
    }
    if has(BL_JACK_EVENT_SAMPLE_RATE) {
      continuation.yield(.sampleRate(Double(events.sample_rate)))
    }
    if has(BL_JACK_EVENT_FREEWHEEL) {
      continuation.yield(.freewheel(events.freewheeling))
    }
    if has(BL_JACK_EVENT_XRUN) {
      continuation.yield(.xrun(total: Int(events.xruns), delay: Double(events.xrun_delay)))
    }
    if has(BL_JACK_EVENT_CYCLE) { resumeCycleWaiters(events.cycles) }
    if has(BL_JACK_EVENT_SHUTDOWN) {
      Self.unclosed.withLock { $0 += 1 }
      recordLastConnections()
      state = .shutDown(at: .now)
      resumeCycleWaiters()
      let reason = withUnsafeBytes(of: events.shutdown_reason) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      continuation.yield(.shutdown(reason: reason.isEmpty ? "the JACK server has ended" : reason))
    } else if has(BL_JACK_EVENT_PORTS) {
      removeReplacedPorts()
      makeConnections()
      recordCuts()
    }
  }
}
