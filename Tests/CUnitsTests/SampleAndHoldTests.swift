import BacklineTestSupport
import CUnit
import Testing

@Suite struct SampleAndHoldTests {
  private let unit = BuiltInUnit("aufx/shld/bkln")

  private let noise = [1, 2].map { Signals.noise(frames: 48_000, seed: $0) }

  private func held(
    _ parameters: [String: Float], blocks: [Int] = [512],
    music: @escaping (Int64) -> (bl_musical_context, bl_transport_state)
  ) throws -> [Float] {
    let host = try UnitHost(unit.descriptor, inputChannels: [2], parameters: parameters)
    host.music = music
    return host.render(inputs: [noise], frames: 48_000, blockSizes: blocks)[0]
  }

  /// Eighths at 100 beats a minute, of a song that began 0.1 s ago.
  @Test func samplesFallOnTheBeat() throws {
    func music(_ time: Int64) -> (bl_musical_context, bl_transport_state) {
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = 100
      context.time_signature_numerator = 4
      context.time_signature_denominator = 4
      context.beat_position = Double(time + 4800) * 100 / (60 * 48_000)
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      return (context, transport)
    }
    let output = try held(["sync": 8], music: music)
    for (frame, value) in output.enumerated() {
      let sampled = max(0, (frame + 4800) / 14_400 * 14_400 - 4800)
      #expect(value == noise[0][sampled], "frame \(frame)")
    }
    for blocks in [[1], [64], [17, 480]] {
      #expect(identical([try held(["sync": 8], blocks: blocks, music: music)], [output]))
    }
  }

  /// A host that rounds beats down to ticks: each eighth is sampled once.
  @Test func ticksDoNotSampleTwice() throws {
    func music(_ time: Int64) -> (bl_musical_context, bl_transport_state) {
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = 101
      context.time_signature_numerator = 4
      context.time_signature_denominator = 4
      let beat = Double(time) * 101 / (60 * 48_000)
      context.beat_position = (beat * 960).rounded(.down) / 960
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      return (context, transport)
    }
    let output = try held(["sync": 5], blocks: [64], music: music)
    let changes = zip(output, output.dropFirst()).filter { $0 != $1 }.count
    #expect(changes == 6)
  }
}
