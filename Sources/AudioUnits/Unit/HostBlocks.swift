import CKernel

/// Provides tempo, metre and beat. A C function, BL_NONBLOCKING, on the render thread.
public typealias MusicalContextBlock =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<bl_musical_context>?) -> Bool
/// Provides the state of the transport. A C function, BL_NONBLOCKING, on the render thread.
public typealias TransportStateBlock =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<bl_transport_state>?) -> Bool

/// The host's functions for a standalone unit.
///
/// Unchecked because of the contexts: they are only passed to the render block, and the host
/// guarantees that the render thread may use them.
struct HostBlocks: @unchecked Sendable {
  var musicalContext: (function: MusicalContextBlock?, context: UnsafeMutableRawPointer?)
  var transportState: (function: TransportStateBlock?, context: UnsafeMutableRawPointer?)
  var midiOutput = MIDIOutput.dropped

  /// The destination of the MIDI that the unit sends.
  enum MIDIOutput {
    case dropped
    case block(MIDIOutputEventBlock, UnsafeMutableRawPointer?)
    /// Collected in a buffer of this many bytes.
    case collected(Int)
  }
}

extension AudioUnit {
  /// Provides the unit with tempo, metre and beat, once a cycle; the function gets `context`.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit of a rack.
  public func setMusicalContextBlock(
    _ block: MusicalContextBlock?, context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) {
    try setHostBlocks("musicalContextBlock") { $0.musicalContext = (block, context) }
  }

  /// Provides the unit with the state of the host's transport, as `setMusicalContextBlock`.
  public func setTransportStateBlock(
    _ block: TransportStateBlock?, context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) {
    try setHostBlocks("transportStateBlock") { $0.transportState = (block, context) }
  }

  func setHostBlocks(
    _ name: String, _ change: (inout HostBlocks) -> Void
  ) throws(AudioUnitError) {
    guard !isInRack else { throw error("\(name) cannot be set: the rack provides it") }
    try whileIdle(name) { change(&$0.hostBlocks) }
  }
}
