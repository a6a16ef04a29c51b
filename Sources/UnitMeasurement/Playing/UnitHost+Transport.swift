import CUnit

extension UnitHost {
  /// Moves the transport while `moves`, from a beat at frame 0 on; the tempo in quarters a minute.
  /// With `ticks` per quarter the beats are rounded to them, as some hosts do.
  package func roll(
    tempo: Double, from beat: Double = 0, ticks: Double? = nil,
    while moves: @escaping (Int64) -> Bool = { _ in true }
  ) {
    music = { [sampleRate] time in
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = tempo
      context.time_signature_numerator = 4
      context.time_signature_denominator = 4
      let position = beat + Double(time) * tempo / (60 * sampleRate)
      context.beat_position = ticks.map { (position * $0).rounded() / $0 } ?? position
      transport.flags = moves(time) ? UInt32(BL_TRANSPORT_MOVING) : 0
      return (context, transport)
    }
  }
}
