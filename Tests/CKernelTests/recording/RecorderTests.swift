import BacklineTestSupport
import CKernel
import Testing

/// A recorder records the taps of a graph.
struct RecorderTests {
  private let nowhere = UInt32.max - 1
  private let rack = UInt32.max

  private func tap(_ node: UInt32, isInput: Bool = false, channel: UInt32 = 0) -> bl_tap {
    bl_tap(node: node, is_input: isInput, bus: 0, channel: channel)
  }

  /// Removes and returns all recorded frames, channels × frames, with silence for lost frames.
  private func drain(_ recorder: OpaquePointer, channels: Int) -> [[Float]] {
    var result = [[Float]](repeating: [], count: channels)
    var next = bl_recorded()
    while bl_recorder_peek(recorder, &next) {
      for channel in 0..<channels {
        result[channel] += (0..<Int(next.frames)).map { next.samples[$0 * channels + channel] }
        result[channel] += [Float](repeating: 0, count: Int(next.lost_frames))
      }
      bl_recorder_advance(recorder, &next)
    }
    return result
  }

  /// The chain works in place, so that its middle buffers are soon overwritten. The taps change
  /// meanwhile, and for 1000 frames no graph plays.
  @Test(arguments: [[1], [17], [64], [1024], [100, 28, 3], [3000]])
  func everyPlaceIsRecordedWhole(cycles: [Int]) throws {
    let host = KernelHost()
    let recorder = try #require(bl_recorder_create(5, 16_384))
    defer { bl_recorder_destroy(recorder) }
    let units = (0..<3).map { _ in host.add(TestUnit.scale.descriptor, parameters: [(0, 0.5)]) }
    let chain = [
      KernelHost.cable(nil, units[0]), KernelHost.cable(units[0], units[1]),
      KernelHost.cable(units[1], nil),
    ]
    let taps = [
      tap(rack), tap(1), tap(rack, isInput: true), tap(nowhere), tap(0),
    ]
    // Unit 2 is not connected, and the rack has no channel 7.
    let lost = [tap(rack), tap(2), tap(rack, isInput: true), tap(rack, channel: 7), tap(0)]
    let input = noise(3000)
    host.play(try host.lower(chain, recorder: recorder, taps: taps))
    var heard = host.render([input], frames: 3000, cycles: cycles)[0]
    host.play(try host.lower(chain, recorder: recorder, taps: lost))
    heard += host.render([input], frames: 3000, cycles: cycles)[0]
    host.playNothing()
    bl_kernel_begin_cycle(host.kernel)
    bl_kernel_skip(host.kernel, 1000)
    heard += [Float](repeating: 0, count: 1000)
    host.play(try host.lower(chain, recorder: recorder, taps: taps))
    heard += host.render([input], frames: 3000, cycles: cycles)[0]
    host.play(try host.lower(chain))
    _ = host.render([input], frames: 64, cycles: cycles)

    let recorded = drain(recorder, channels: 5)
    let silence = [Float](repeating: 0, count: 3000)
    let rest = [Float](repeating: 0, count: 1000)
    let (half, quarter) = (input.map { $0 * 0.5 }, input.map { $0 * 0.25 })
    #expect(bl_recorder_lost_frames(recorder) == 0)
    #expect(firstDifference(heard, quarter + quarter + rest + quarter) == nil)
    let expected = [
      heard, quarter + silence + rest + quarter, input + input + rest + input,
      [Float](repeating: 0, count: 10_000), half + half + rest + half,
    ]
    #expect(firstDifference(recorded, expected) == nil)
  }

  /// The disk falls behind twice, the second time until the end.
  @Test func whatFindsNoRoomIsCountedAndKeepsItsPlace() throws {
    let host = KernelHost()
    let recorder = try #require(bl_recorder_create(1, 1024))
    defer { bl_recorder_destroy(recorder) }
    host.play(
      try host.lower([KernelHost.cable(nil, nil)], recorder: recorder, taps: [tap(rack)]))
    let input = noise(12_800)
    var recorded: [Float] = []
    for start in stride(from: 0, to: input.count, by: 64) {
      _ = host.render([Array(input[start..<start + 64])], frames: 64)
      // The disk reads every 256 frames, except for two periods.
      if start % 256 == 0, !(3200..<6400).contains(start), start < 9600 {
        recorded += drain(recorder, channels: 1)[0]
      }
    }
    host.play(try host.lower([KernelHost.cable(nil, nil)]))
    _ = host.render([[0]], frames: 1)
    bl_recorder_finish(recorder)
    recorded += drain(recorder, channels: 1)[0]

    #expect(recorded.count == input.count)
    let lost = zip(recorded, input).map { $0 != $1 }
    #expect(bl_recorder_drop_outs(recorder) == 2)
    #expect(bl_recorder_lost_frames(recorder) == UInt64(lost.count { $0 }))
    #expect(zip(recorded, lost).allSatisfy { !$1 || $0 == 0 })
    // Each drop-out is contiguous.
    #expect(zip(lost, lost.dropFirst()).count { !$0 && $1 } == 2)
    #expect(lost.last == true && !lost[..<3200].contains(true))
    #expect(bl_recorder_frames(recorder) == UInt64(input.count))
  }
}
