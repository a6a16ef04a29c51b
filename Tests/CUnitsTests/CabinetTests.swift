import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct CabinetTests {
  let unit = BuiltInUnit("aufx/cabn/bkln")
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func render(
    _ a: SoundFile, _ b: SoundFile? = nil, frames: Int = 1200, parameters: [String: Float] = [:]
  ) throws -> [Float] {
    var properties = ["a": try a.write(folder.path("a.wav"))]
    properties["b"] = try b?.write(folder.path("b.wav"))
    return try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], properties: properties,
      parameters: parameters
    ).impulseResponse(frames: frames)
  }

  @Test func theBlendIsAShareOfEach() throws {
    let (long, short) = (SoundFile.decay(), SoundFile.decay(by: 20))
    let (a, b) = (try render(long, short), try render(long, short, parameters: ["blend": 100]))
    let both = try render(long, short, parameters: ["blend": 30])
    #expect(Deviation.worst(of: both) { Double(0.7 * a[$0] + 0.3 * b[$0]) } < 1e-6)
  }

  @Test func trimEndsTheResponse() throws {
    let output = try render(
      .decay(frames: 3000, by: 5000), frames: 4000, parameters: ["trim": 20])
    #expect(output[..<960].contains { abs($0) > 0.01 })
    #expect(output[700] != 0)
    #expect(output[960...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test func mixAndLevelAreInTheOutput() throws {
    let wet = try render(.decay())
    let output = try render(.decay(), parameters: ["mix": 40, "level": -6])
    let gain = Float(Level.amplitude(-6))
    #expect(abs(output[0] - (0.6 + 0.4 * gain * wet[0])) < 1e-6)
    #expect(abs(output[10] - 0.4 * gain * wet[10]) < 1e-6)
  }
}
