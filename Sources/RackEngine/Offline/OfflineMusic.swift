import CUnit

/// The transport of a rendering: it moves from the first frame on, in one tempo, four beats a bar.
struct OfflineMusic {
  /// Beats per minute.
  let tempo: Double
  /// Hz.
  let sampleRate: Double

  /// Hands `body` where the music stands at frame `start`.
  func play(
    from start: Int,
    _ body: (UnsafePointer<bl_musical_context>, UnsafePointer<bl_transport_state>) -> Void
  ) {
    let beat = Double(start) * tempo / (60 * sampleRate)
    let beatsPerBar = 4.0
    var context = bl_musical_context()
    context.tempo = tempo
    context.time_signature_numerator = beatsPerBar
    context.time_signature_denominator = 4
    context.beat_position = beat
    context.downbeat_position = (beat / beatsPerBar).rounded(.down) * beatsPerBar
    var transport = bl_transport_state()
    transport.flags = UInt32(BL_TRANSPORT_MOVING) | (start == 0 ? UInt32(BL_TRANSPORT_CHANGED) : 0)
    transport.sample_position = Int64(start)
    body(&context, &transport)
  }
}
