import CKernel
import UnitModel

/// A signal of a unit that can be watched while it is rendered.
public enum WatchedPlace: Hashable, Sendable {
  /// The sound of the first input bus, and of the first output bus.
  case input, output
  /// An array that the unit shows, by its index in `UnitFacts.telemetry`.
  case telemetry(Int)

  fileprivate var number: Int {
    switch self {
    case .input: Int(BL_WATCH_INPUT)
    case .output: Int(BL_WATCH_OUTPUT)
    case .telemetry(let index): Int(BL_WATCH_TELEMETRY) + index
    }
  }
}

extension Float {
  /// The value as it can be drawn and written: finite, up to ±120 dB.
  fileprivate var shown: Float { isFinite ? min(max(self, -1e6), 1e6) : 0 }
}

extension AudioUnit {
  /// Watches these places, and no others, from a cycle within the next 50 ms on; a place that the unit
  /// does not have is ignored. One reader reads what is watched.
  ///
  /// - Throws: `AudioUnitError` without render resources, or if memory is short.
  public func watch(_ places: Set<WatchedPlace>) throws(AudioUnitError) {
    let mask = places.filter { place in
      switch place {
      case .input: !facts.inputBusses.isEmpty
      case .output: !facts.outputBusses.isEmpty
      case .telemetry(let index): facts.telemetry.indices.contains(index)
      }
    }.reduce(UInt32(0)) { $0 | 1 << UInt32($1.number) }
    let isDone = state.withLock { state in
      state.resources.map { bl_node_watch($0.node.pointer, mask) }
    }
    guard let isDone else { throw error("its render resources are not allocated") }
    guard isDone else { throw error("out of memory") }
  }

  /// Removes and returns the sound of a watched input or output since the last call: frames of two
  /// channels; a mono bus fills both. Sound that is not read within a third of a second is dropped.
  public func readWatchedSound(_ place: WatchedPlace) -> [SIMD2<Float>] {
    state.withLock { state in
      guard let node = state.resources?.node.pointer,
        let sound = bl_node_watched_sound(node, UInt32(place.number))
      else { return [] }
      var frames: [SIMD2<Float>] = []
      var next = bl_recorded()
      while bl_recorder_peek(sound, &next) {
        for frame in 0..<Int(next.frames) {
          frames.append(
            SIMD2(next.samples[2 * frame].shown, next.samples[2 * frame + 1].shown))
        }
        bl_recorder_advance(sound, &next)
      }
      return frames
    }
  }

  /// Returns the latest values of a watched array of the unit, empty while it shows nothing; nil if there
  /// is nothing new since the last call.
  public func readTelemetry(_ index: Int) -> [Float]? {
    guard facts.telemetry.indices.contains(index) else { return nil }
    return state.withLock { state in
      guard let node = state.resources?.node.pointer else { return nil }
      var values = [Float](repeating: 0, count: facts.telemetry[index].capacity)
      var count: UInt32 = 0
      guard bl_node_watched_values(node, UInt32(index), &values, &count) else { return nil }
      return values[..<Int(count)].map(\.shown)
    }
  }

  /// Sends a message of the unit's own view over one of the unit's channels and returns the reply; both are
  /// text, below 4096 bytes. Blocks while another process answers.
  ///
  /// - Throws: `AudioUnitError` with the unit's reason, or if it has no such channel.
  public func send(message: String, channel: String) throws(AudioUnitError) -> String {
    let maximum = Int(BL_MESSAGE_CAPACITY)
    guard message.utf8.count < maximum, channel.utf8.count < maximum else {
      throw error("a message has \(maximum - 1) bytes at most")
    }
    guard let receive = descriptor.pointee.receive_message else {
      throw error("it has no message channels")
    }
    return try controlLock.withLock { _ throws(AudioUnitError) in
      var reply = [CChar](repeating: 0, count: maximum)
      let status = receive(instance, channel, message, &reply, maximum)
      let text = String(decoding: reply.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      guard status == BL_OK else {
        throw error(text.isEmpty ? "it has no message channel “\(channel)”" : text)
      }
      return text
    }
  }
}
