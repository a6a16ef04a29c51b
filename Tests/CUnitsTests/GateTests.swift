import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct GateTests {
  private let unit = BuiltInUnit("aufx/gate/bkln")

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
      let index = frame % period
      let next = (index + 1) % period
      let tremolo = pow(10, sin(2 * .pi * 6 * Double(frame) / 48_000) / 20)
      let hum = 3e-4 * sin(2 * .pi * 50 * Double(frame) / 48_000)
      note.append(Float(0.5 * tremolo * (string[index] - mean) + hum))
      string[index] = mean + 0.98 * ((string[index] + string[next]) / 2 - mean)
    }
    let output = try unit.host(["threshold": -55]).play(note)
    let open = zip(output, note).map { Level.decibels(Double($0 / $1)) > -6 }
    let changes = zip(open, open.dropFirst()).map { ($0, $1) }.filter { $0.0 != $0.1 }
    #expect(changes.count == 2, "opens once, closes once")
    #expect(Level.peak(output.suffix(4800)) < -100)
  }

  @Test func theKeyIsTheSidechainThroughItsFilters() throws {
    let pad = Signals.constant(0.01, frames: 9600)
    for (frequency, opens) in [(50.0, false), (1000, true), (15_000, false)] {
      let host = try unit.host([
        "threshold": -20, "low_cut": 300, "high_cut": 3000, "range": 60, "look_ahead": 2,
      ])
      #expect(host.latency == 96)
      let key = Signals.sine(frequency: frequency, amplitude: 0.3, frames: 9600)
      let output = host.render(inputs: [[pad], [key]], frames: 9600)[0]
      #expect(abs(Level.peak(output.suffix(1)) + (opens ? 40 : 100)) < 0.1, "\(frequency) Hz")
    }
  }
}
