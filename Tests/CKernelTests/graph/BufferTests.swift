import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// Audio passes between units by pointer wherever possible, without copies.
struct BufferTests {
  private func chain(_ unit: TestUnit, length: Int, host: KernelHost) throws -> OpaquePointer {
    var cables: [bl_cable] = []
    for index in 0..<length {
      host.add(unit.descriptor, parameters: [(0, 1 + Float(index) / 8)])
      cables.append(KernelHost.cable(index == 0 ? nil : index - 1, index))
    }
    cables.append(KernelHost.cable(length - 1, nil))
    return try host.lower(cables)
  }

  private func expected(_ input: [Float], length: Int) -> [Float] {
    input.map { sample in
      (0..<length).reduce(sample) { $0 * (1 + Float($1) / 8) }
    }
  }

  /// Cables carry one channel of a stereo output, and into one channel of a stereo input; the other
  /// channel's buffer is not overwritten.
  @Test(arguments: [TestUnit.scale, .scaleApart]) func aCableCanCarryOneChannel(unit: TestUnit)
    throws
  {
    let host = KernelHost()
    host.add(unit.descriptor, inputs: [2], outputs: [2], parameters: [(0, 2)])
    host.add(unit.descriptor, parameters: [(0, 3)])
    host.play(
      try host.lower(
        [
          KernelHost.cable(nil, 0), KernelHost.cable(0, 1, fromChannel: 2),
          KernelHost.cable(1, nil, toChannel: 1),
          KernelHost.cable(0, nil, fromChannel: 1, toChannel: 2),
          KernelHost.cable(nil, nil, fromChannel: 2, toChannel: 2),
        ], inputs: [2], outputs: [2]))
    let input = [noise(1000), noise(1000, seed: 7)]
    let output = host.render(input, frames: 1000, cycles: [64, 17, 1])
    #expect(output[0] == input[1].map { $0 * 2 * 3 })
    #expect(output[1] == zip(input[0], input[1]).map { $0 * 2 + $1 })
    for cable in [KernelHost.cable(nil, 0, fromChannel: 3), KernelHost.cable(0, nil, toChannel: 3)]
    {
      #expect(throws: KernelHost.LoweringError.self) {
        try host.lower([cable], inputs: [2], outputs: [2])
      }
    }
  }

  @Test func aLinearChainInPlaceCopiesNothingAndNeedsNoBuffer() throws {
    let host = KernelHost()
    let graph = try chain(.scale, length: 8, host: host)
    host.play(graph)
    let input = noise(1000)
    let output = host.render([input], frames: 1000, cycles: [64, 17, 1])
    #expect(output == [expected(input, length: 8)])
    #expect(bl_graph_copied_frames(graph) == 0)
    #expect(bl_graph_buffer_count(graph) == 0)
    // The first unit reads JACK's own input, which must not be written to.
    #expect(!bl_test_was_in_place(host.units[0]))
    #expect(host.units.dropFirst().allSatisfy { bl_test_was_in_place($0) })
  }

  @Test func aLinearChainApartCopiesNothingAndTakesTwoBuffers() throws {
    let host = KernelHost()
    let graph = try chain(.scaleApart, length: 8, host: host)
    host.play(graph)
    let input = noise(1000)
    #expect(host.render([input], frames: 1000) == [expected(input, length: 8)])
    #expect(bl_graph_copied_frames(graph) == 0)
    #expect(bl_graph_buffer_count(graph) == 2)
    #expect(host.units.allSatisfy { !bl_test_was_in_place($0) })
  }

  @Test func aUnitWithManyReadersRendersOnceACycle() throws {
    let host = KernelHost()
    let source = host.add(TestUnit.scale.descriptor)
    let readers = (0..<3).map { host.add(TestUnit.scale.descriptor, parameters: [(0, Float($0))]) }
    let graph = try host.lower(
      [KernelHost.cable(nil, source), KernelHost.cable(source, nil)]
        + readers.map { KernelHost.cable(source, $0) }
        + readers.map { KernelHost.cable($0, nil, to: 1 + $0 - readers[0]) },
      outputs: [1, 1, 1, 1])
    host.play(graph)
    let input = noise(640)
    let output = host.render([input], frames: 640, cycles: [64])
    #expect(bl_test_render_count(host.units[source]) == 10)
    #expect(output[0] == input)
    for (number, reader) in readers.enumerated() {
      #expect(output[1 + number] == input.map { $0 * Float(number) }, "reader \(reader)")
    }
    #expect(bl_graph_copied_frames(graph) == 0)
  }

  @Test func cablesIntoOneInputAreSummed() throws {
    let host = KernelHost()
    let one = host.add(TestUnit.scale.descriptor, parameters: [(0, 2)])
    let other = host.add(TestUnit.scale.descriptor, parameters: [(0, 0.5)])
    let graph = try host.lower([
      KernelHost.cable(nil, one), KernelHost.cable(nil, other), KernelHost.cable(one, nil),
      KernelHost.cable(other, nil), KernelHost.cable(nil, nil),
    ])
    host.play(graph)
    let input = noise(300)
    let output = host.render([input], frames: 300, cycles: [48])[0]
    for frame in input.indices {
      #expect(abs(output[frame] - 3.5 * input[frame]) < 1e-6)
    }
  }

  @Test func oneChannelFeedsEveryChannelOfItsDestination() throws {
    let host = KernelHost()
    let wide = host.add(TestUnit.scale.descriptor, inputs: [2], outputs: [2], parameters: [(0, 3)])
    let graph = try host.lower(
      [KernelHost.cable(nil, wide), KernelHost.cable(wide, nil)], outputs: [2])
    host.play(graph)
    let input = noise(200)
    let tripled = input.map { $0 * 3 }
    #expect(host.render([input], frames: 200) == [tripled, tripled])
    #expect(bl_graph_copied_frames(graph) == 0)
  }

  @Test func aUnitMayAnswerWithMemoryOfItsOwn() throws {
    let host = KernelHost()
    let provider = host.add(TestUnit.provider.descriptor, inputs: [], parameters: [(0, 0.25)])
    let scale = host.add(TestUnit.scale.descriptor, parameters: [(0, 2)])
    let graph = try host.lower(
      [
        KernelHost.cable(provider, scale), KernelHost.cable(scale, nil),
        KernelHost.cable(provider, nil, to: 1),
      ], outputs: [1, 1])
    host.play(graph)
    let output = host.render([[Float](repeating: 0, count: 100)], frames: 100)
    #expect(output[0] == [Float](repeating: 0.5, count: 100))
    #expect(output[1] == [Float](repeating: 0.25, count: 100))
    #expect(!bl_test_was_in_place(host.units[scale]))
  }

  @Test func whatNothingPullsIsNotRendered() throws {
    let host = KernelHost()
    let heard = host.add(TestUnit.scale.descriptor)
    let idle = host.add(TestUnit.scale.descriptor)
    let graph = try host.lower([
      KernelHost.cable(nil, heard), KernelHost.cable(heard, nil), KernelHost.cable(heard, idle),
    ])
    host.play(graph)
    _ = host.render([noise(64)], frames: 64)
    #expect(bl_test_render_count(host.units[heard]) == 1)
    #expect(bl_test_render_count(host.units[idle]) == 0)
  }

  @Test func anOutputThatNothingFeedsIsSilent() throws {
    let host = KernelHost()
    host.play(try host.lower([], outputs: [2]))
    let silence = [Float](repeating: 0, count: 100)
    #expect(host.render([noise(100)], frames: 100) == [silence, silence])
  }
}
