import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct OverdriveTests {
  private func host(
    _ circuit: OverdriveCircuit,
    _ knobs: OverdriveCircuit.Knobs = .init(drive: 0.5, tone: 0.5, bias: 0.5),
    sampleRate: Double = 48_000, parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let all = [
      "model": Float(circuit.rawValue), "drive": Float(100 * knobs.drive),
      "tone": Float(100 * knobs.tone), "bias": Float(100 * knobs.bias),
    ]
    return try BuiltInUnit("aufx/drvs/bkln").host(
      sampleRate: sampleRate, all.merging(parameters) { $1 })
  }

  /// The unit and ngspice agree on a driven sine to -55 dB, and on very quiet sounds to 0.2 dB.
  @Test(
    .enabled(if: CircuitSimulator.program != nil, "ngspice is not installed"),
    arguments: OverdriveCircuit.allCases,
    [
      (amplitude: 0.5, knobs: OverdriveCircuit.Knobs(drive: 0.8, tone: 0.7, bias: 0.6)),
      (amplitude: 0.1, knobs: OverdriveCircuit.Knobs(drive: 0.3, tone: 0.2, bias: 0.4)),
    ])
  func circuitsDoWhatTheirPartsDo(
    circuit: OverdriveCircuit, at setting: (amplitude: Double, knobs: OverdriveCircuit.Knobs)
  ) throws {
    let errors = try CircuitErrors(
      circuit.netlist(setting.knobs), gain: circuit.gain, amplitude: setting.amplitude
    ) { try host(circuit, setting.knobs) }
    // The Pi's second half feels the first one's diodes: it agrees to -48 dB.
    #expect(errors.driven < (circuit == .pi ? -48 : -55))
    for (frequency, error) in errors.response { #expect(abs(error) < 0.2, "\(frequency) Hz") }
  }

  /// Noise at +40 dBFS and clicks stay within what the parts allow, and are forgotten.
  @Test(arguments: OverdriveCircuit.allCases, [44_100.0, 48_000])
  func absurdSoundsDoNoHarm(circuit: OverdriveCircuit, rate: Double) throws {
    let host = try host(circuit, .init(drive: 1, tone: 1, bias: 0.5), sampleRate: rate)
    let noise = Signals.noise(frames: 4800).map { 100 * $0 }
    let clicks = (0..<4800).map { $0 % 97 == 0 ? Float(10) : 0 }
    let output = host.play(noise + clicks + Signals.constant(0, frames: 48_000))
    // Diodes to ground let no more through; the others pass some of the sound beside theirs.
    let limit: [OverdriveCircuit: Float] = [.plus: 0.35, .rodent: 0.35, .opAmp: 0.4]
    #expect((output.map(abs).max() ?? .infinity) < limit[circuit, default: 30])
    #expect(output.suffix(2400).allSatisfy { abs($0) < 1e-4 })
  }

  /// Another circuit fades in within 20 ms, and knobs turn as far as they like.
  @Test func nothingClicks() throws {
    let host = try host(.screamer)
    let sine = Signals.sine(frequency: 100, amplitude: 0.01, frames: 48_000)
    var events: [UnitHost.Event] = OverdriveCircuit.allCases.enumerated().map { index, circuit in
      .parameter(host.address("model"), Float(circuit.rawValue), at: 2000 + 6000 * index)
    }
    for (index, value) in [0, 60, 20, 50, 0, 90, 40].enumerated() {
      for (name, offset) in [("tone", 2000), ("bias", 3500)] {
        events.append(
          .parameter(host.address(name), Float(value), at: 2000 + offset + 6000 * index))
      }
    }
    let output = host.play(sine, events: events.sorted { $0.frame < $1.frame })
    let loudest = output.map(abs).max() ?? 0
    #expect(loudest > 0.01)
    // The steepest slope of a sine of 100 Hz is a 76th of its amplitude in a frame.
    #expect(Signals.largestStep(output) < loudest / 20)
  }

  /// Every circuit passes the middle upright, so that the dry sound adds to it.
  @Test(arguments: OverdriveCircuit.allCases) func theDrySoundIsInPhase(circuit: OverdriveCircuit)
    throws
  {
    let host = try host(circuit)
    let sine = Signals.sine(frequency: 500, amplitude: 0.003, frames: 9600)
    let output = Array(host.play(sine).dropFirst(host.latency).suffix(4800))
    let turn =
      Spectrum.transform(output, at: 500)
      / Spectrum.transform(Array(sine.dropLast(host.latency).suffix(4800)), at: 500)
    #expect(abs(turn.phase) < 0.45 * .pi)

    let dry = try self.host(circuit, parameters: ["mix": 0])
    let late = dry.play(Signals.impulse(amplitude: 0.5, frames: 200))
    #expect(late[dry.latency] == 0.5)
    #expect(late.filter { $0 != 0 }.count == 1)
  }
}
