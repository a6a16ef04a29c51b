import CKernel

/// Says where the music stands; on the render thread, which must not wait: a C function, BL_NONBLOCKING.
public typealias MusicalContextBlock =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<bl_musical_context>?) -> Bool
/// Says how the transport moves; on the render thread, which must not wait: a C function,
/// BL_NONBLOCKING.
public typealias TransportStateBlock =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<bl_transport_state>?) -> Bool

/// What a unit of its own asks about the music.
///
/// Unchecked because of the pointers: they are only carried to the render block, and whoever gave them
/// sees to it that the render thread may use them.
struct MusicProviders: @unchecked Sendable {
  var musicalContext: (function: MusicalContextBlock, context: UnsafeMutableRawPointer?)?
  var transportState: (function: TransportStateBlock, context: UnsafeMutableRawPointer?)?
}

extension AudioUnit {
  /// Lets the unit know tempo, metre and beat; `context` comes back with each call, once a cycle.
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

  /// Lets the unit know whether the host's transport moves; as `setMusicalContextBlock`.
  public func setTransportStateBlock(
    _ block: TransportStateBlock?, context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) {
    guard !isInRack else { throw error("the rack says how the transport moves") }
    let provider = block.map { (function: $0, context: context) }
    let music = MusicProviders(transportState: provider)
    try whileIdle("transportStateBlock") { $0.music.transportState = music.transportState }
  }
}
