import BacklineTestSupport
import Foundation
import Testing

@Suite struct CabinetTests {
  let unit = BuiltInUnit("aufx/cabn/bkln")
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A response that is loud from frame `delay` on.
  private func response(delay: Int, frames: Int = 1000, decay: Double = 100) -> SoundFile {
    let sound = (0..<(frames - delay)).map { frame in
      Float(exp(-Double(frame) / decay) * cos(0.3 * Double(frame)))
    }
    return SoundFile(
      sampleRate: 48_000, channels: [[Float](repeating: 0, count: delay) + sound])
  }

  private func render(
    _ a: SoundFile, _ b: SoundFile? = nil, frames: Int = 1200, parameters: [String: Float] = [:]
  ) throws -> [Float] {
    var properties = ["a": try a.write(folder.path("a.wav"))]
    properties["b"] = try b?.write(folder.path("b.wav"))
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], properties: properties,
      parameters: parameters)
    return host.render(inputs: [[Signals.impulse(frames: frames)]], frames: frames)[0]
  }

  private func energy(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// Silence before the sound is left out, so that two microphones at different distances add up.
  @Test func responsesAreAligned() throws {
    let near = response(delay: 40)
    let far = response(delay: 300, frames: 1260)
    let alone = try render(near)
    let other = try render(near, far, parameters: ["blend": 100])
    #expect(zip(alone, other).allSatisfy { abs($0 - $1) < 1e-6 })
    let cancelled = try render(near, far, parameters: ["blend": 50, "invert": 1])
    #expect(cancelled.allSatisfy { abs($0) < 1e-6 })
  }

  @Test func levelsAreAlikeAndBlend() throws {
    let long = response(delay: 0)
    let short = response(delay: 0, decay: 20)
    let a = try render(long, short)
    let b = try render(long, short, parameters: ["blend": 100])
    #expect(abs(energy(a) - 1) < 1e-4 && abs(energy(b) - 1) < 1e-4)
    let both = try render(long, short, parameters: ["blend": 30])
    for frame in both.indices {
      #expect(abs(both[frame] - (0.7 * a[frame] + 0.3 * b[frame])) < 1e-6)
    }
  }

  @Test func trimEndsTheResponse() throws {
    let output = try render(
      response(delay: 0, frames: 3000, decay: 5000), frames: 4000, parameters: ["trim": 20])
    #expect(output[..<960].contains { abs($0) > 0.01 })
    #expect(output[700] != 0)
    #expect(output[960...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test func mixAndLevelAreInTheOutput() throws {
    let wet = try render(response(delay: 0))
    let output = try render(response(delay: 0), parameters: ["mix": 40, "level": -6])
    let gain = Float(pow(10, -6 / 20.0))
    #expect(abs(output[0] - (0.6 + 0.4 * gain * wet[0])) < 1e-6)
    #expect(abs(output[10] - 0.4 * gain * wet[10]) < 1e-6)
  }
}
