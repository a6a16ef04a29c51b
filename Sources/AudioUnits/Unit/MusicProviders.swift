import CKernel

/// Answers tempo, metre and beat. A C function, BL_NONBLOCKING, on the render thread.
public typealias MusicalContextBlock =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<bl_musical_context>?) -> Bool
/// Answers the state of the transport. A C function, BL_NONBLOCKING, on the render thread.
public typealias TransportStateBlock =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<bl_transport_state>?) -> Bool

/// The host's functions for tempo and transport, of a unit outside of a rack.
///
/// Unchecked because of the pointers: they are only passed to the render block, and the host that gave
/// them guarantees that the render thread may use them.
struct MusicProviders: @unchecked Sendable {
  var musicalContext: (function: MusicalContextBlock, context: UnsafeMutableRawPointer?)?
  var transportState: (function: TransportStateBlock, context: UnsafeMutableRawPointer?)?
}

extension AudioUnit {
  /// Provides the unit with tempo, metre and beat, once a cycle; the function gets `context`.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit of a rack.
  public func setMusicalContextBlock(
    _ block: MusicalContextBlock?, context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) {
    guard !isInRack else { throw error("the rack says where the music stands") }
    let provider = block.map { (function: $0, context: context) }
    let music = MusicProviders(musicalContext: provider)
    try whileIdle("musicalContextBlock") { $0.music.musicalContext = music.musicalContext }
  }

  /// Provides the unit with the state of the host's transport, as `setMusicalContextBlock`.
  public func setTransportStateBlock(
    _ block: TransportStateBlock?, context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) {
    guard !isInRack else { throw error("the rack says how the transport moves") }
    let provider = block.map { (function: $0, context: context) }
    let music = MusicProviders(transportState: provider)
    try whileIdle("transportStateBlock") { $0.music.transportState = music.transportState }
  }
}
