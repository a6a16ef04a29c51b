import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct GuitarAmpTests {
  private func host(
    _ circuit: GuitarAmpCircuit,
    _ knobs: GuitarAmpCircuit.Knobs = .init(gain: 0.5, bass: 0.5, middle: 0.5, treble: 0.5),
    sampleRate: Double = 48_000, parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let all = [
      "model": Float(circuit.rawValue), "gain": Float(100 * knobs.gain),
      "bass": Float(100 * knobs.bass), "middle": Float(100 * knobs.middle),
      "treble": Float(100 * knobs.treble),
    ]
    return try BuiltInUnit("aufx/gamp/bkln").host(
      sampleRate: sampleRate, all.merging(parameters) { $1 })
  }

  /// The unit and ngspice, which solves each amp whole, agree on quiet sounds and on a driven sine.
  /// Plexi and Lead, which the unit solves in parts, feel the next part's grid current too late.
  @Test(
    .enabled(if: CircuitSimulator.program != nil, "ngspice is not installed"),
    arguments: GuitarAmpCircuit.allCases,
    [
      (amplitude: 0.5, gain: 0.8, most: [-70.0, -80, -30, -35]),
      (amplitude: 0.1, gain: 0.3, most: [-80.0, -80, -60, -50]),
    ])
  func circuitsDoWhatTheirPartsDo(
    circuit: GuitarAmpCircuit, at setting: (amplitude: Double, gain: Double, most: [Double])
  ) throws {
    let knobs = GuitarAmpCircuit.Knobs(gain: setting.gain, bass: 0.3, middle: 0.7, treble: 0.6)
    let errors = try CircuitErrors(
      circuit.netlist(knobs), gain: circuit.scale, amplitude: setting.amplitude, little: 1e-3
    ) { try host(circuit, knobs) }
    #expect(errors.driven < setting.most[circuit.rawValue])
    for (frequency, error) in errors.response { #expect(abs(error) < 0.3, "\(frequency) Hz") }
  }

  /// Noise at +40 dBFS and clicks stay within what the supplies allow, and are forgotten.
  @Test(arguments: GuitarAmpCircuit.allCases, [44_100.0, 48_000])
  func absurdSoundsDoNoHarm(circuit: GuitarAmpCircuit, rate: Double) throws {
    let host = try host(
      circuit, .init(gain: 1, bass: 1, middle: 1, treble: 1), sampleRate: rate)
    let noise = Signals.noise(frames: 4800).map { 100 * $0 }
    let clicks = (0..<4800).map { $0 % 97 == 0 ? Float(10) : 0 }
    let output = host.play(noise + clicks + Signals.constant(0, frames: 96_000))
    let supply = Float(300 * abs(circuit.scale))
    #expect((output.map(abs).max() ?? .infinity) < 1.5 * supply)
    #expect(output.suffix(2400).allSatisfy { abs($0) < 1e-3 * supply })
  }

  /// Another amp fades in within 20 ms, and knobs turn as far as they like.
  @Test func nothingClicks() throws {
    let host = try host(.tweed)
    let sine = Signals.sine(frequency: 100, amplitude: 0.002, frames: 30_000)
    var events: [UnitHost.Event] = []
    for (index, circuit) in GuitarAmpCircuit.allCases.enumerated() {
      let start = 2000 + 6000 * index
      events.append(.parameter(host.address("model"), Float(circuit.rawValue), at: start))
      for (offset, name) in ["gain", "bass", "middle", "treble"].enumerated() {
        let value: Float = (index + offset) % 2 == 0 ? 20 : 60
        events.append(.parameter(host.address(name), value, at: start + 1500 + 800 * offset))
      }
    }
    let output = host.play(sine, events: events)
    let loudest = output.map(abs).max() ?? 0
    #expect(loudest > 0.001)
    // The steepest slope of a sine of 100 Hz is a 76th of its amplitude in a frame.
    #expect(Signals.largestStep(output) < loudest / 20)
  }

  /// The dry sound waits as long as the amp's, to the frame.
  @Test(arguments: GuitarAmpCircuit.allCases) func theDrySoundIsAsLate(circuit: GuitarAmpCircuit)
    throws
  {
    let dry = try host(circuit, parameters: ["mix": 0])
    let late = dry.play(Signals.impulse(amplitude: 0.5, frames: 200))
    #expect(late[dry.latency] == 0.5)
    #expect(late.filter { $0 != 0 }.count == 1)
    let impulse = try host(circuit).play(Signals.impulse(amplitude: 1e-3, frames: 400))
    let sharpest = impulse.indices.max { abs(impulse[$0]) < abs(impulse[$1]) }
    #expect(abs(Int(sharpest ?? 0) - dry.latency) <= 2)
  }

  /// The knobs of the tone stack do what their names say.
  @Test(arguments: [("bass", 82.0, 1500.0), ("middle", 600, 6000), ("treble", 6000, 300)])
  func theToneStackTurnsUpItsBand(knob: String, inside: Double, outside: Double) throws {
    func gain(_ frequency: Double, _ value: Float) throws -> Double {
      let impulse = try host(.blackface, parameters: [knob: value]).play(
        Signals.impulse(amplitude: 1e-4, frames: 9600))
      return Level.decibels(Spectrum.transform(impulse, at: frequency).magnitude)
    }
    let rise = try gain(inside, 90) - gain(inside, 10)
    #expect(try rise > gain(outside, 90) - gain(outside, 10) + 2)
    #expect(rise > 4)
  }
}
