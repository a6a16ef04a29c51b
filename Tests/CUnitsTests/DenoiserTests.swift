import BacklineTestSupport
import CUnit
import Testing
import UnitMeasurement

@Suite struct DenoiserTests {
  private let unit = BuiltInUnit("aufx/dnoi/bkln")
  private let latency = 1280

  /// The output, moved to where the input was.
  private func play(
    _ input: [Float], _ parameters: [String: Float] = [:], events: [UnitHost.Event] = []
  ) throws -> [Float] {
    let padded = input + Signals.constant(0, frames: latency)
    return Array(try unit.host(parameters).play(padded, events: events)[latency...])
  }

  private func noise(_ amplitude: Float, seconds: Double, seed: UInt64 = 1) -> [Float] {
    Signals.noise(frames: Int(seconds * 48_000), seed: seed).map { $0 * amplitude }
  }

  @Test func anAmountOfNothingChangesNothing() throws {
    let host = try unit.host(["amount": 0])
    #expect(host.latency == latency)
    let input = noise(0.5, seconds: 1)
    let output = try play(input, ["amount": 0])
    #expect(Deviation.worst(of: output, from: input) < 1e-6)
  }

  /// The noise is also found after silence that a switched-off microphone sends, and after it has
  /// grown.
  @Test func theNoiseIsFoundAgain() throws {
    let silence = Signals.constant(0, frames: 48_000)
    let before = noise(0.05, seconds: 2)
    let after = noise(0.158, seconds: 3, seed: 2)
    let input = silence + before + silence + before + after
    let output = try play(input)
    func reduction(at second: Double) -> Double {
      let start = Int(second * 48_000)
      return Level.rms(input[start..<start + 12_000]) - Level.rms(output[start..<start + 12_000])
    }
    #expect(abs(reduction(at: 1.5) - 12) < 0.5)
    #expect(abs(reduction(at: 4.2) - 12) < 0.5)
    #expect(reduction(at: 6.2) < 4)
    #expect(abs(reduction(at: 8.5) - 12) < 0.5)
  }

  @Test func theFloorIsLeft() throws {
    let input = noise(0.01, seconds: 4)
    let output = try play(input, ["amount": 20, "floor": -56, "smooth": 85])
    #expect(abs(Level.rms(output.suffix(96_000)) + 56) < 0.5)
  }

  /// A steady tone is noise, if it was learnt, from then on and whatever comes.
  @Test func learntNoiseGoes() throws {
    let hum = Signals.sine(frequency: 375, amplitude: 0.1, frames: 288_000)
    let other = Signals.sine(frequency: 3000, amplitude: 0.1, frames: 288_000)
    let input = hum.indices.map { $0 < 96_000 ? hum[$0] : hum[$0] + other[$0] }
    let learn = UnitHost.Event.parameter(try unit.host().address("learn"), 1, at: 24_000)
    for (noise, events, change) in [(1, [learn], 0.0), (0, [], -12)]
      as [(Float, [UnitHost.Event], Double)]
    {
      let output = Array(try play(input, ["noise": noise], events: events).suffix(24_000))
      #expect(abs(Level.decibels(Spectrum.amplitude(output, at: 375) / 0.1) + 12) < 0.5)
      #expect(abs(Level.decibels(Spectrum.amplitude(output, at: 3000) / 0.1) - change) < 0.5)
    }
  }

  private func reallocate(_ host: UnitHost) {
    host.descriptor.pointee.deallocate_render_resources(host.unit)
    let counts: [UInt32] = [1]
    let status = counts.withUnsafeBufferPointer { counts in
      var configuration = bl_render_configuration(
        sample_rate: 48_000, maximum_frames: 4096, input_bus_count: 1, output_bus_count: 1,
        input_channel_counts: counts.baseAddress, output_channel_counts: counts.baseAddress)
      return host.descriptor.pointee.allocate_render_resources(host.unit, &configuration)
    }
    #expect(status == BL_OK)
  }

  /// Learnt noise outlasts another length of cycles; a reset, as after a fault, tells that it is gone.
  @Test func learntNoiseOutlastsAnotherFormat() throws {
    let hum = Signals.sine(frequency: 375, amplitude: 0.1, frames: 288_000)
    let host = try unit.host(["noise": 1])
    #expect(host.value("learnt") == 0)
    _ = host.play(
      Array(hum.prefix(96_000)), events: [.parameter(host.address("learn"), 1, at: 24_000)])
    #expect(host.value("learnt") == 1)
    reallocate(host)
    #expect(host.value("learnt") == 1)
    let other = Signals.sine(frequency: 3000, amplitude: 0.1, frames: 288_000)
    let output = Array(host.play(zip(hum, other).map { $0 + $1 }).suffix(24_000))
    #expect(abs(Level.decibels(Spectrum.amplitude(output, at: 375) / 0.1) + 12) < 0.5)
    #expect(abs(Level.decibels(Spectrum.amplitude(output, at: 3000) / 0.1)) < 0.5)
    host.reset()
    #expect(host.value("learnt") == 0)
  }

  /// What was learnt is the unit's data: another instance, at another rate, too, takes the same away.
  @Test(arguments: [48_000, 96_000, 192_000]) func aLearntNoiseIsSaved(sampleRate: Double) throws {
    let hum = Signals.sine(frequency: 375, amplitude: 0.1, frames: 96_000)
    let host = try unit.host(["noise": 1])
    #expect(try host.data(0).isEmpty)
    _ = host.play(hum, events: [.parameter(host.address("learn"), 1, at: 24_000)])
    let data = try host.data(0)
    #expect(data.count == 16 + 2 * 512)
    // It is saved once.
    #expect(try host.data(0).isEmpty)

    let other = try unit.host(sampleRate: sampleRate, ["noise": 1])
    try other.load(0, data)
    let frames = Int(3 * sampleRate)
    let tone = Signals.sine(frequency: 375, sampleRate: sampleRate, amplitude: 0.1, frames: frames)
    let output = Array(other.play(tone).suffix(frames / 6))
    #expect(other.value("learnt") == 1)
    let level = Spectrum.amplitude(output, at: 375, sampleRate: sampleRate)
    #expect(abs(Level.decibels(level / 0.1) + 12) < 0.5)
    // A reset goes back to what was loaded; nothing is new.
    other.reset()
    #expect(other.value("learnt") == 1)
    #expect(try other.data(0).isEmpty)
    try other.load(0, [])
    _ = other.play(tone)
    #expect(other.value("learnt") == 0)
  }

  @Test func dataOfAnotherKindAreRefused() throws {
    let host = try unit.host(["noise": 1])
    for data in [[1], Array(repeating: 255, count: 1040), Array("print".utf8)] as [[UInt8]] {
      let refusal = try #require(throws: UnitHost.Refusal.self) { try host.load(0, data) }
      #expect(refusal.description == "this is no noise print")
    }
  }

  /// Noise that was no number is forgotten.
  @Test func aFaultIsNotLearnt() throws {
    let host = try unit.host(["noise": 1])
    var input = Signals.noise(frames: 96_000)
    input[30_000] = .nan
    _ = host.play(input, events: [.parameter(host.address("learn"), 1, at: 24_000)])
    host.reset()
    #expect(host.value("learnt") == 0)
    #expect(host.play(Signals.noise(frames: 48_000)).allSatisfy { $0.isFinite })
  }
}
