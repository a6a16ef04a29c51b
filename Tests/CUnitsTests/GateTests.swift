import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct GateTests {
  private let unit = BuiltInUnit("aufx/gate/bkln")

  private func mono(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1, 1], outputChannels: [1], parameters: parameters)
  }

  private func decibels(_ value: Float) -> Double { 20 * log10(Double(abs(value))) }

  /// The gain frame by frame, dB.
  private func gains(_ output: [Float], _ input: [Float]) -> [Double] {
    zip(output, input).map { decibels($0 / $1) }
  }

  @Test func itOpensAtTheThresholdAndClosesBelow() throws {
    let host = try mono([
      "threshold": -50, "hysteresis": 6, "ratio": 100, "range": 40, "attack": 0.05, "release": 5,
      "hold": 0,
    ])
    let frames = 24_000
    let up = (0..<frames).map { frame -> Float in
      let level = -70 + 40 * Double(frame) / Double(frames)
      return Float(pow(10, level / 20))
    }
    let input = up + up.reversed()
    let gains = gains(host.render(inputs: [[input]], frames: 2 * frames)[0], input)
    let opened = try #require(gains.firstIndex { $0 > -1 })
    let closed = try #require(gains.lastIndex { $0 > -1 })
    #expect(abs(decibels(input[opened]) + 50) < 0.2)
    // The release takes its time meanwhile: a quarter of a millisecond to the first dB.
    #expect(abs(decibels(input[closed]) + 56) < 0.2)
    #expect(abs(gains[100] + 40) < 0.2 && abs(gains[2 * frames - 1] + 40) < 0.2)
  }

  @Test(arguments: [(1, 40, 120), (0.05, 0, 5), (10, 100, 30)])
  func attackHoldAndReleaseTakeTheirTimes(attack: Double, hold: Double, release: Double) throws {
    let host = try mono([
      "threshold": -30, "ratio": 100, "range": 60, "attack": Float(attack), "hold": Float(hold),
      "release": Float(release),
    ])
    let third = 9600
    let input =
      Signals.constant(1e-3, frames: third) + Signals.constant(1, frames: third)
      + Signals.constant(1e-3, frames: third)
    let gains = gains(host.render(inputs: [[input]], frames: 3 * third)[0], input)
    for frame in stride(from: 0, to: third, by: 41) {
      let time = Double(frame + 1) / 48
      #expect(abs(gains[third + frame] + 60 * exp(-time / attack)) < 0.01)
      let closing = 60 * (1 - exp(-max(0, time - hold) / release))
      #expect(abs(gains[2 * third + frame] + closing) < 0.01)
    }
  }

  /// Flipped, it takes the range from what is above the threshold, with the same times.
  @Test func flippedItDucks() throws {
    let host = try mono([
      "threshold": -30, "ratio": 100, "range": 12, "attack": 10, "hold": 50, "release": 100,
      "flip": 1,
    ])
    let third = 9600
    let input =
      Signals.constant(1e-3, frames: third) + Signals.constant(1, frames: third)
      + Signals.constant(1e-3, frames: third)
    let gains = gains(host.render(inputs: [[input]], frames: 3 * third)[0], input)
    #expect(gains[..<third].allSatisfy { abs($0) < 0.01 })
    for frame in stride(from: 0, to: third, by: 41) {
      let time = Double(frame + 1) / 48
      #expect(abs(gains[third + frame] + 12 * (1 - exp(-time / 10))) < 0.01)
      let returning = min(1, exp(-(time - 50) / 100))
      #expect(abs(gains[2 * third + frame] + 12 * returning) < 0.01)
    }
  }

  /// A plucked string (Karplus and Strong, 1983) with tremolo and hum closes the gate once, and
  /// never opens it again.
  @Test func aDecayingNoteClosesItOnce() throws {
    var random = Random(seed: 4)
    let period = 218
    var string = (0..<period).map { _ in Double.random(in: -1...1, using: &random) }
    let mean = string.reduce(0, +) / Double(period)
    let frames = 120_000
    var note: [Float] = []
    for frame in 0..<frames {
      let place = frame % period
      let next = (place + 1) % period
      let tremolo = pow(10, sin(2 * .pi * 6 * Double(frame) / 48_000) / 20)
      let hum = 3e-4 * sin(2 * .pi * 50 * Double(frame) / 48_000)
      note.append(Float(0.5 * tremolo * (string[place] - mean) + hum))
      string[place] = mean + 0.98 * ((string[place] + string[next]) / 2 - mean)
    }
    let host = try mono(["threshold": -55])
    let output = host.render(inputs: [[note]], frames: frames)[0]
    let open = gains(output, note).map { $0 > -6 }
    let changes = zip(open, open.dropFirst()).map { ($0, $1) }.filter { $0.0 != $0.1 }
    #expect(changes.count == 2, "opens once, closes once")
    #expect(decibels(output.suffix(4800).max() ?? 1) < -100)
  }

  @Test func theKeyIsTheSidechainThroughItsFilters() throws {
    let pad = Signals.constant(0.01, frames: 9600)
    for (frequency, opens) in [(50.0, false), (1000, true), (15_000, false)] {
      let host = try mono([
        "threshold": -20, "low_cut": 300, "high_cut": 3000, "range": 60, "look_ahead": 2,
      ])
      #expect(host.latency == 96)
      let key = Signals.sine(frequency: frequency, amplitude: 0.3, frames: 9600)
      let output = host.render(inputs: [[pad], [key]], frames: 9600)[0]
      #expect(abs(decibels(output[9599]) + (opens ? 40 : 100)) < 0.1, "\(frequency) Hz")
    }
  }
}
