import AudioUnits
import BacklineTestSupport
import Foundation
import Testing

/// Units render from buffers into buffers.
@Suite struct AudioPCMBufferTests {
  private func gain(_ prepare: (AudioUnit) throws -> Void = { _ in }) async throws -> AudioUnit {
    let unit = try await AudioUnit.instantiate(
      UnitReference("Gain"), catalogue: ComponentCatalogue())
    try prepare(unit)
    try unit.allocateRenderResources()
    return unit
  }

  private let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2)

  @Test func channelsKeepWhatIsWrittenToThem() {
    let buffer = AudioPCMBuffer([[1, 2, 3], [4]], sampleRate: 44_100)
    #expect(buffer.format == AudioFormat(sampleRate: 44_100, channelCount: 2))
    #expect(buffer.channels == [[1, 2, 3], [4, 0, 0]])
    buffer[1][2] = 6
    buffer.frameLength = 2
    #expect(buffer.channels == [[1, 2], [4, 0]] && buffer.frameCapacity == 3)
    buffer.frameLength = 3
    #expect(buffer[1][2] == 6)
    #expect(AudioPCMBuffer(format: stereo, frameCapacity: 0).channels == [[], []])
  }

  @Test func aWholeBufferIsRenderedAndAShorterInputEndsInSilence() async throws {
    let unit = try await gain()
    let ones = Signals.constant(1, frames: 3000)
    let output = AudioPCMBuffer(format: stereo, frameCapacity: 5000)
    output.frameLength = 4500
    output[0][0] = 9
    try unit.scheduleParameter(at: .sampleTime(72_500), address: 0, value: -20)
    try unit.render(
      to: output, from: [AudioPCMBuffer([ones, ones], sampleRate: 48_000)], at: 70_000)
    for channel in output.channels {
      #expect(channel.count == 4500)
      for (frame, sample) in channel.enumerated() {
        let expected: Float = frame < 2500 ? 1 : frame < 3000 ? 0.1 : 0
        guard abs(sample - expected) > 1e-6 else { continue }
        Issue.record("\(sample) at frame \(frame)")
        break
      }
    }
  }

  @Test func aBufferMayBeRenderedInPlace() async throws {
    let unit = try await gain { try $0.setParameter(0, to: -20) }
    let noise = noise(2000)
    let buffer = AudioPCMBuffer([noise, noise], sampleRate: 48_000)
    try unit.render(to: buffer, from: [buffer])
    #expect(zip(noise, buffer.channels[1]).allSatisfy { abs($0 * 0.1 - $1) < 1e-6 })
  }

  @Test func whatDoesNotFitIsRefusedWithTheReason() async throws {
    let unit = try await AudioUnit.instantiate(
      UnitReference("Compressor"), catalogue: ComponentCatalogue())
    let fitting = AudioPCMBuffer(format: stereo, frameCapacity: 64)
    func refusal(
      _ output: AudioPCMBuffer, _ inputs: [AudioPCMBuffer] = [], bus: Int = 0
    ) -> String {
      do throws(AudioUnitError) {
        try unit.render(to: output, from: inputs, bus: bus)
        return "none"
      } catch { return error.reason }
    }
    #expect(refusal(fitting) == "its render resources are not allocated")
    try unit.allocateRenderResources()
    let mono = AudioPCMBuffer([[0]], sampleRate: 48_000)
    let slow = AudioPCMBuffer([[0], [0]], sampleRate: 44_100)
    #expect(
      refusal(mono)
        == "output bus “output” has 2 channels at 48000.0 Hz, and its buffer 1 channel at 48000.0 Hz"
    )
    #expect(refusal(fitting, [slow]).contains("44100.0 Hz"))
    #expect(refusal(fitting, [fitting, fitting]).contains("“sidechain” is not enabled"))
    #expect(refusal(fitting, [fitting, fitting, fitting]) == "it has no input bus 2")
    #expect(refusal(fitting, bus: 1) == "it has no output bus 1")
    #expect(refusal(fitting, [fitting]) == "none")
  }

  /// The test runs the example of docs/reference/audio-unit-parity.md line by line.
  @Test func theExampleOfThePageRendersAnEcho() async throws {
    let delay = try await AudioUnit.instantiate(UnitReference("Delay"))
    delay.parameterTree.parameter(atKeyPath: "time")?.value = 0.25
    try delay.allocateRenderResources()

    let click: [Float] = [1]
    let input = AudioPCMBuffer([click, click], sampleRate: 48_000)
    let output = AudioPCMBuffer(format: input.format, frameCapacity: 24_000)
    try delay.render(to: output, from: [input])
    let loudest = output[0].dropFirst().map(abs).max() ?? 0
    // The echo comes after a quarter of a second, and not before.
    #expect(loudest > 0.1 && output[0][1..<12_000].allSatisfy { $0 == 0 })

    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/reference/audio-unit-parity.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n")
    let example = try #require(blocks.last?.components(separatedBy: "```").first)
    let lines = example.split(separator: "\n")
    #expect(lines.count >= 8)
    for line in lines where !line.hasPrefix("print") {
      #expect(source.contains(line), "\(line)")
    }
  }
}
