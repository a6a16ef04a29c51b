import CIO
import CJack

extension JackClient {
  /// Reports the latency from the rack's inputs to each output to JACK, frames by output name; outputs
  /// not in `frames` have 0.
  public func setGraphLatency(_ frames: [String: Int]) {
    graphLatency = frames
    updateLatencies()
  }

  /// Returns the total latency from the first port of the chain to the last (the sound card's input
  /// and output), frames by output name: the longest of each output's channels.
  public func totalLatencies() -> [String: Int] {
    guard state == .active else { return [:] }
    var totals: [String: Int] = [:]
    for port in ports.values where !port.isInput {
      var before = jack_latency_range_t()
      var behind = jack_latency_range_t()
      library.pointee.jack_port_get_latency_range(port.pointer, JackCaptureLatency, &before)
      library.pointee.jack_port_get_latency_range(port.pointer, JackPlaybackLatency, &behind)
      totals[port.group] = max(totals[port.group] ?? 0, Int(before.max) + Int(behind.max))
    }
    return totals
  }

  /// Passes the current ports to the latency callback, and has JACK call it.
  func updateLatencies() {
    guard !isClosed else { return }
    let inputs = ports.values.filter(\.isInput)
    let outputs = ports.values.filter { !$0.isInput }
    let inputPointers: [OpaquePointer?] = inputs.map(\.pointer)
    let outputPointers: [OpaquePointer?] = outputs.map(\.pointer)
    let frames = outputs.map { UInt32(graphLatency[$0.group] ?? 0) }
    _ = bl_jack_client_set_latencies(
      callbacks, inputPointers, UInt32(inputPointers.count), outputPointers, frames,
      UInt32(outputPointers.count))
    if state == .active {
      _ = library.pointee.jack_recompute_total_latencies(jack)
    }
  }
}
