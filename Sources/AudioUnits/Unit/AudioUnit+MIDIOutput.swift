import CKernel

/// Receives a MIDI message that a unit sends: the whole message, its status byte first, with its sample
/// time and the unit's cable. Returns false if there is no room. A C function, BL_NONBLOCKING, called
/// on the render thread; see `bl_midi_output_function`.
public typealias MIDIOutputEventBlock =
  @convention(c) (
    UnsafeMutableRawPointer?, Int64, UInt8, UInt32, UnsafePointer<UInt8>?
  ) -> Bool

/// A MIDI message that a unit has sent.
public struct MIDIOutputEvent: Sendable, Hashable {
  /// The time, on the timeline of the timestamps that the unit is rendered with, frames.
  public var sampleTime: Int64
  /// The unit's output cable, an index into `midiOutputNames`.
  public var cable: Int
  /// The whole message, its status byte first; system exclusive with its 0xF0 and 0xF7.
  public var bytes: [UInt8]

  public init(sampleTime: Int64, cable: Int = 0, bytes: [UInt8]) {
    (self.sampleTime, self.cable, self.bytes) = (sampleTime, cable, bytes)
  }
}

extension AudioUnit {
  /// Passes the MIDI that the unit sends to a function, with `context`. Replaces
  /// `setMIDIOutputBufferSize`. Messages that the function has no room for count in `lostEventCount`.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit of a rack.
  public func setMIDIOutputEventBlock(
    _ block: MIDIOutputEventBlock?, context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) {
    let output: HostBlocks.MIDIOutput = block.map { .block($0, context) } ?? .dropped
    try setHostBlocks("midiOutputEventBlock") { $0.midiOutput = output }
  }

  /// Keeps the MIDI that the unit sends for `popMIDIOutput`, in a buffer of `bytes` bytes (a message
  /// needs its length plus 16); 0 keeps none. Replaces `setMIDIOutputEventBlock`. Messages that do
  /// not fit count in `lostEventCount`.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, for a unit of a rack, and for
  ///   more than 2^30 bytes.
  public func setMIDIOutputBufferSize(_ bytes: Int) throws(AudioUnitError) {
    guard (0...1 << 30).contains(bytes) else {
      throw error("a MIDI buffer has 0 to \(1 << 30) bytes, not \(bytes)")
    }
    try setHostBlocks("midiOutputBufferSize") {
      $0.midiOutput = bytes > 0 ? .collected(bytes) : .dropped
    }
  }

  /// Removes and returns the messages that the unit has sent, in order of time for each cable. Any
  /// thread may call it while another renders; deallocating the render resources drops the rest.
  public func popMIDIOutput() -> [MIDIOutputEvent] {
    state.withLock { state in
      guard let queue = state.resources?.midiQueue?.pointer else { return [] }
      var events: [MIDIOutputEvent] = []
      var header = bl_midi_queue_header()
      while bl_midi_queue_peek(queue, &header) {
        let length = Int(header.length)
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
          bl_midi_queue_pop(queue, bytes.baseAddress)
          count = length
        }
        events.append(
          MIDIOutputEvent(
            sampleTime: header.sample_time, cable: Int(header.cable), bytes: bytes))
      }
      return events
    }
  }
}
