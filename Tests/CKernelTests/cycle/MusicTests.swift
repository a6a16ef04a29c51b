import BacklineTestSupport
import CKernel
import CUnit
import Testing

/// Units receive the musical context and the transport state.
@Suite struct MusicTests {
  /// Renders cycles of 700 frames, in slices of 64, from beat 1.25 on at 97 beats a minute.
  private func beats(moving: Bool, cycles: Int = 5) throws -> [Float] {
    let host = KernelHost()
    host.add(TestUnit.beat.descriptor, inputs: [])
    host.play(
      try host.lower([KernelHost.cable(0, nil)], inputs: [], maximumFrames: 64))
    var rendered: [Float] = []
    for cycle in 0..<cycles {
      var context = bl_musical_context()
      context.tempo = 97
      context.time_signature_numerator = 3
      context.time_signature_denominator = 4
      context.beat_position = 1.25 + (moving ? Double(cycle * 700) * 97 / (60 * 48_000) : 0)
      var transport = bl_transport_state()
      transport.flags = moving ? UInt32(BL_TRANSPORT_MOVING) : 0
      host.music = (context, transport)
      rendered += host.render(frames: 700, cycles: [700])[0]
    }
    return rendered
  }

  @Test func beatsMoveWithTheTransportFrameByFrame() throws {
    let beats = try beats(moving: true)
    for frame in beats.indices {
      let expected = 1.25 + Double(frame) * 97 / (60 * 48_000)
      #expect(abs(Double(beats[frame]) - expected) < 1e-6, "frame \(frame)")
    }
  }

  @Test func beatsStandWhileTheTransportDoes() throws {
    #expect(try beats(moving: false).allSatisfy { $0 == 1.25 })
  }

  @Test func withoutMusicUnitsAreToldSo() throws {
    let host = KernelHost()
    host.add(TestUnit.beat.descriptor, inputs: [])
    host.play(try host.lower([KernelHost.cable(0, nil)], inputs: []))
    #expect(host.render(frames: 100)[0].allSatisfy { $0 == -1 })
  }
}
