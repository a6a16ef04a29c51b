import CUnit
import CUnitHost

/// Says where the music stands at a sample time.
public final class MusicSource {
  private let answer: (Int64) -> (bl_musical_context, bl_transport_state)

  public init(_ answer: @escaping (Int64) -> (bl_musical_context, bl_transport_state)) {
    self.answer = answer
  }

  static let function: bl_music_source = { context, sampleTime, music, transport in
    guard let context, let music, let transport else { return }
    let source = Unmanaged<MusicSource>.fromOpaque(context).takeUnretainedValue()
    (music.pointee, transport.pointee) = source.answer(sampleTime)
  }
}
