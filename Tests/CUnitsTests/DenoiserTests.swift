import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct DenoiserTests {
  private let unit = BuiltInUnit("aufx/dnoi/bkln")
  private let latency = 1280

  private func mono(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: parameters)
  }

  /// The output, moved to where the input was.
  private func play(
    _ input: [Float], _ parameters: [String: Float] = [:], events: [UnitHost.Event] = []
  ) throws -> [Float] {
    let padded = input + Signals.constant(0, frames: latency)
    let host = try mono(parameters)
    return Array(
      host.render(inputs: [[padded]], frames: padded.count, events: events)[0][latency...])
  }

  private func level(_ signal: some Collection<Float>) -> Double {
    10 * log10(signal.map { Double($0 * $0) }.reduce(0, +) / Double(signal.count))
  }

  private func noise(_ amplitude: Float, seconds: Double, seed: UInt64 = 1) -> [Float] {
    Signals.noise(frames: Int(seconds * 48_000), seed: seed).map { $0 * amplitude }
  }

  @Test func anAmountOfNothingChangesNothing() throws {
    let host = try mono(["amount": 0])
    #expect(host.latency == latency)
    let input = noise(0.5, seconds: 1)
    let output = try play(input, ["amount": 0])
    #expect(zip(input, output).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test(arguments: [6, 12, 18] as [Float]) func steadyNoiseGoesDownByTheAmount(
    amount: Float
  ) throws {
    let input = noise(0.05, seconds: 4)
    let output = try play(input, ["amount": amount, "smooth": 85])
    #expect(abs(level(input.suffix(96_000)) - level(output.suffix(96_000)) - Double(amount)) < 0.5)
  }

  /// Also after silence that a switched-off microphone sends, and after it has grown.
  @Test func theNoiseIsFoundAgain() throws {
    let silence = Signals.constant(0, frames: 48_000)
    let before = noise(0.05, seconds: 2)
    let after = noise(0.158, seconds: 3, seed: 2)
    let input = silence + before + silence + before + after
    let output = try play(input)
    func reduction(at second: Double) -> Double {
      let start = Int(second * 48_000)
      return level(input[start..<start + 12_000]) - level(output[start..<start + 12_000])
    }
    #expect(abs(reduction(at: 1.5) - 12) < 0.5)
    #expect(abs(reduction(at: 4.2) - 12) < 0.5)
    #expect(reduction(at: 6.2) < 4)
    #expect(abs(reduction(at: 8.5) - 12) < 0.5)
  }

  @Test func aToneAboveTheNoiseStays() throws {
    let hiss = noise(0.05, seconds: 4)
    let tone = Signals.sine(frequency: 1000, amplitude: 0.5, frames: 48_000)
    let input = hiss.indices.map { $0 < 144_000 ? hiss[$0] : hiss[$0] + tone[$0 - 144_000] }
    let output = try play(input)
    let amplitudes = [input, output].map {
      Spectrum.amplitude(Array($0[148_800..<182_400]), at: 1000)
    }
    #expect(abs(20 * log10(amplitudes[1] / amplitudes[0])) < 0.05)
  }

  @Test func theFloorIsLeft() throws {
    let input = noise(0.01, seconds: 4)
    let output = try play(input, ["amount": 20, "floor": -56, "smooth": 85])
    #expect(abs(level(output.suffix(96_000)) + 56) < 0.5)
  }

  /// A steady tone is noise, if it was learnt, from then on and whatever comes.
  @Test func learntNoiseGoes() throws {
    let hum = Signals.sine(frequency: 375, amplitude: 0.1, frames: 288_000)
    let other = Signals.sine(frequency: 3000, amplitude: 0.1, frames: 288_000)
    let input = hum.indices.map { $0 < 96_000 ? hum[$0] : hum[$0] + other[$0] }
    let learn = UnitHost.Event.parameter(try mono().address("learn"), 1, at: 24_000)
    for (noise, events, change) in [(1, [learn], 0.0), (0, [], -12)]
      as [(Float, [UnitHost.Event], Double)]
    {
      let output = Array(try play(input, ["noise": noise], events: events).suffix(24_000))
      #expect(abs(20 * log10(Spectrum.amplitude(output, at: 375) / 0.1) + 12) < 0.5)
      #expect(abs(20 * log10(Spectrum.amplitude(output, at: 3000) / 0.1) - change) < 0.5)
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
    let host = try mono(["noise": 1])
    #expect(host.value("learnt") == 0)
    _ = host.render(
      inputs: [[hum]], frames: 96_000, events: [.parameter(host.address("learn"), 1, at: 24_000)])
    #expect(host.value("learnt") == 1)
    reallocate(host)
    #expect(host.value("learnt") == 1)
    let other = Signals.sine(frequency: 3000, amplitude: 0.1, frames: 288_000)
    let output = host.render(
      inputs: [[zip(hum, other).map { $0 + $1 }]], frames: 288_000)[0].suffix(24_000)
    #expect(abs(20 * log10(Spectrum.amplitude(Array(output), at: 375) / 0.1) + 12) < 0.5)
    #expect(abs(20 * log10(Spectrum.amplitude(Array(output), at: 3000) / 0.1)) < 0.5)
    host.reset()
    #expect(host.value("learnt") == 0)
  }

  /// What was learnt is the unit's data: another instance, at another rate, too, takes the same away.
  @Test(arguments: [48_000, 96_000, 192_000]) func aLearntNoiseIsSaved(sampleRate: Double) throws {
    let hum = Signals.sine(frequency: 375, amplitude: 0.1, frames: 96_000)
    let host = try mono(["noise": 1])
    #expect(try host.data(0).isEmpty)
    _ = host.render(
      inputs: [[hum]], frames: 96_000, events: [.parameter(host.address("learn"), 1, at: 24_000)])
    let data = try host.data(0)
    #expect(data.count == 16 + 2 * 512)
    // It is saved once.
    #expect(try host.data(0).isEmpty)

    let other = try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [1], outputChannels: [1],
      parameters: ["noise": 1])
    try other.load(0, data)
    let frames = Int(3 * sampleRate)
    let tone = Signals.sine(
      frequency: 375, sampleRate: sampleRate, amplitude: 0.1, frames: frames)
    let output = other.render(inputs: [[tone]], frames: frames)[0].suffix(frames / 6)
    #expect(other.value("learnt") == 1)
    let level = Spectrum.amplitude(Array(output), at: 375, sampleRate: sampleRate)
    #expect(abs(20 * log10(level / 0.1) + 12) < 0.5)
    // A reset goes back to what was loaded; nothing is new.
    other.reset()
    #expect(other.value("learnt") == 1)
    #expect(try other.data(0).isEmpty)
    try other.load(0, [])
    _ = other.render(inputs: [[tone]], frames: frames)
    #expect(other.value("learnt") == 0)
  }

  @Test func dataOfAnotherKindAreRefused() throws {
    let host = try mono(["noise": 1])
    for data in [[1], Array(repeating: 255, count: 1040), Array("print".utf8)] as [[UInt8]] {
      let refusal = try #require(throws: UnitHost.Refusal.self) { try host.load(0, data) }
      #expect(refusal.description == "this is no noise print")
    }
  }

  /// Noise that was no number is forgotten.
  @Test func aFaultIsNotLearnt() throws {
    let host = try mono(["noise": 1])
    var input = Signals.noise(frames: 96_000)
    input[30_000] = .nan
    _ = host.render(
      inputs: [[input]], frames: 96_000,
      events: [.parameter(host.address("learn"), 1, at: 24_000)])
    host.reset()
    #expect(host.value("learnt") == 0)
    let output = host.render(inputs: [[Signals.noise(frames: 48_000)]], frames: 48_000)[0]
    #expect(output.allSatisfy { $0.isFinite })
  }

  /// Hagerman and Olofsson, "A method to measure the effect of noise reduction algorithms using
  /// simultaneous speech and noise", Acta Acustica 90, 2004: what happened to either is found from
  /// two runs in which the noise has the opposite sign.
  @Test func speechStandsOutOfPinkNoise() throws {
    let sentence = "The north wind and the sun disputed which was the stronger."
    guard let spoken = try Speech.speak(sentence)?.channels[0] else { return }
    let voice = zip(spoken, spoken.dropFirst()).flatMap { (now: Float, next: Float) -> [Float] in
      [now, (now + next) / 2]
    }
    let lead = 144_000
    let speech = Signals.constant(0, frames: lead) + voice
    let pink = pinkNoise(frames: speech.count)
    let gain = Float(pow(10, (level(voice) - 10 - level(pink.suffix(voice.count))) / 20))
    let noise = pink.map { $0 * gain }
    let settings: [String: Float] = ["amount": 24, "smooth": 95]
    let plus = try play(zip(speech, noise).map { $0 + $1 }, settings)
    let minus = try play(zip(speech, noise).map { $0 - $1 }, settings)
    let kept = zip(plus, minus).map { ($0 + $1) / 2 }.suffix(voice.count)
    let left = zip(plus, minus).map { ($0 - $1) / 2 }.suffix(voice.count)
    #expect(level(kept) - level(left) - 10 > 8)
    #expect(level(kept) > level(voice) - 1.5)
    // Musical noise: single bins that stand out in time raise the kurtosis of their powers.
    let ratio = kurtosis(plus[24_000..<lead]) / kurtosis(noise[24_000..<lead])
    #expect(ratio < 1.3)
  }

  /// Falls by 3 dB per octave from 30 Hz on: white noise through low-passes two octaves apart.
  private func pinkNoise(frames: Int) -> [Float] {
    var sums = [Double](repeating: 0, count: 6)
    return Signals.noise(frames: frames, seed: 9).map { white -> Float in
      var sum = 0.0
      for place in sums.indices {
        let pace = 1 - exp(-2 * Double.pi * 30 * pow(4, Double(place)) / 48_000)
        sums[place] += pace * (Double(white) - sums[place])
        sum += sums[place] / pow(2, Double(place))
      }
      return Float(sum)
    }
  }

  /// Of the powers of some bins of 1024 frames, each by its mean.
  private func kurtosis(_ signal: ArraySlice<Float>) -> Double {
    let starts = stride(from: signal.startIndex, to: signal.endIndex - 1024, by: 256)
    let kurtoses = stride(from: 5, to: 400, by: 13).map { bin -> Double in
      let powers = starts.map { start -> Double in
        var sum = Phasor(0)
        for place in 0..<1024 {
          let window = 0.5 - 0.5 * cosines[place]
          let sample = window * Double(signal[start + place])
          let turn = (bin * place) % 1024
          sum = sum + Phasor(sample * cosines[turn], sample * cosines[(turn + 256) % 1024])
        }
        return pow(sum.magnitude, 2)
      }
      let mean = powers.reduce(0, +) / Double(powers.count)
      return powers.map { $0 * $0 }.reduce(0, +) / Double(powers.count) / (mean * mean)
    }
    return kurtoses.reduce(0, +) / Double(kurtoses.count)
  }

  private let cosines = (0..<1024).map { cos(2 * Double.pi * Double($0) / 1024) }
}
