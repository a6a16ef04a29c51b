import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct MixerTests {
  private let unit = BuiltInUnit("aumx/mixr/bkln")

  private func host(_ inputChannels: [Int], output: Int = 2) throws -> UnitHost {
    try UnitHost(unit.descriptor, inputChannels: inputChannels, outputChannels: [output])
  }

  /// One frame out for constant ones in.
  private func levels(_ host: UnitHost, _ inputs: [[Float]]) -> [Float] {
    host.render(inputs: inputs.map { $0.map { [$0] } }, frames: 1).map { $0[0] }
  }

  @Test func oneStereoInputPassesUnchanged() throws {
    let noise = [Signals.noise(frames: 1000, seed: 1), Signals.noise(frames: 1000, seed: 2)]
    let rendered = try host([2]).render(inputs: [noise], frames: 1000)
    #expect(identical(rendered, noise))
  }

  @Test func aMonoOutputTakesTheMean() throws {
    #expect(levels(try host([2, 1], output: 1), [[0.5, 0.25], [0.125]]) == [0.5])
  }

  @Test func sumsAnyNumberOfInputs() throws {
    let count = 128
    let host = try host((0..<count).map { 1 + $0 % 2 })
    var expected = [[Double]](repeating: [Double](repeating: 0, count: 200), count: 2)
    let inputs = (0..<count).map { bus in
      (0..<1 + bus % 2).map { Signals.noise(frames: 200, seed: UInt64(10 * bus + $0)) }
    }
    host.set("master", -6)
    for bus in 0..<count {
      let gain = Float(-bus % 40)
      host.set("gain", gain, bus: bus)
      host.set("pan", -1, bus: bus)
      host.set("mute", bus % 5 == 0 ? 1 : 0, bus: bus)
      // All to the left: of a stereo input the left side is left.
      let factor = bus % 5 == 0 ? 0 : pow(10, (Double(gain) - 6) / 20)
      for frame in 0..<200 { expected[0][frame] += factor * Double(inputs[bus][0][frame]) }
    }
    let rendered = host.render(inputs: inputs, frames: 200, blockSizes: [64])
    for channel in 0..<2 {
      for frame in 0..<200 {
        #expect(abs(Double(rendered[channel][frame]) - expected[channel][frame]) < 2e-5)
      }
    }
  }

  @Test func muteDoesNotClick() throws {
    let host = try host([2])
    let constant = Signals.constant(1, frames: 8000)
    let events = [
      UnitHost.Event.parameter(host.address("mute"), 1, at: 100),
      .parameter(host.address("mute"), 0, at: 4000),
      // Turned round half-way.
      .parameter(host.address("mute"), 1, at: 4480),
      .parameter(host.address("mute"), 0, at: 6000),
    ]
    let rendered = host.render(
      inputs: [[constant, constant]], frames: 8000, blockSizes: [64], events: events)[0]
    #expect(Signals.largestStep(rendered) <= 1.52 / 960)
    #expect(rendered[99] == 1 && rendered[1065..<4000].allSatisfy { $0 == 0 })
    #expect(rendered[4480] > 0.4 && rendered[5500] == 0 && rendered[7200] == 1)
  }

  @Test func gainAndPanFollowRamps() throws {
    let host = try host([1, 1])
    let constant = Signals.constant(1, frames: 1200)
    let events = [
      UnitHost.Event.parameter(host.address("pan", bus: 1), 1, ramp: 1000, at: 100),
      .parameter(host.address("gain", bus: 1), -12, ramp: 500, at: 100),
    ]
    host.set("mute", 1, bus: 0)
    let rendered = host.render(
      inputs: [[constant], [constant]], frames: 1200, blockSizes: [17, 64], events: events)
    for frame in 0..<1200 {
      let since = Double(max(frame - 100, 0))
      let gain = pow(10, -12 * min(since / 500, 1) / 20)
      let angle = (min(since / 1000, 1) + 1) * .pi / 4
      #expect(abs(Double(rendered[0][frame]) - gain * cos(angle)) < 3e-6)
      #expect(abs(Double(rendered[1][frame]) - gain * sin(angle)) < 3e-6)
    }
  }

  @Test func aHostMayFillTheMemoryItIsOffered() throws {
    let host = try host([2, 1, 2])
    let rendered = render(host, outputs: nil) { frames, bus, input in
      for channel in 0..<Int(input.pointee.channel_count) {
        input.pointee.channels[channel]?.update(
          repeating: Float(bus + 1) * (channel == 0 ? 1 : 10), count: frames)
      }
    }
    let side = 2 * Float(0.5).squareRoot()
    #expect(abs(rendered[0] - (1 + 3 + side)) < 1e-5)
    #expect(abs(rendered[1] - (10 + 30 + side)) < 1e-5)
  }

  @Test func theOutputMayBeAnyInput() throws {
    let memory = (0..<6).map { index in
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: 64)
      pointer.update(repeating: Float(1 << index), count: 64)
      return pointer
    }
    defer { for pointer in memory { pointer.deallocate() } }
    let rendered = render(try host([2, 2, 2]), outputs: Array(memory[2..<4])) {
      _, bus, input in
      for channel in 0..<2 { input.pointee.channels[channel] = memory[2 * bus + channel] }
    }
    #expect(rendered == [21, 42])
  }

  /// Frames, bus, what the unit offers.
  private typealias Pull = (Int, Int, UnsafeMutablePointer<bl_buffers>) -> Void

  private final class PullBox {
    let pull: Pull
    init(_ pull: @escaping Pull) { self.pull = pull }
  }

  /// Renders 64 frames and answers the last of each channel.
  private func render(
    _ host: UnitHost, outputs: [UnsafeMutablePointer<Float>?]?, pull: @escaping Pull
  ) -> [Float] {
    var channels = outputs ?? [nil, nil]
    let box = PullBox(pull)
    var timestamp = bl_timestamp()
    return withExtendedLifetime(box) {
      channels.withUnsafeMutableBufferPointer { channels in
        var output = bl_buffers(channel_count: 2, channels: channels.baseAddress)
        var source = bl_render_host()
        source.context = Unmanaged.passUnretained(box).toOpaque()
        source.pull_input = { context, _, _, frames, bus, input in
          guard let context, let input else { return bl_status(BL_ERROR_NO_SUCH_ELEMENT) }
          let box = Unmanaged<PullBox>.fromOpaque(context).takeUnretainedValue()
          box.pull(Int(frames), Int(bus), input)
          return bl_status(BL_OK)
        }
        let status = host.descriptor.pointee.render(
          host.unit, 0, &timestamp, 64, 0, &output, nil, &source)
        #expect(status == BL_OK)
        return channels.map { $0?[63] ?? .nan }
      }
    }
  }
}
