import AudioUnits
import BacklineTestSupport
import RackEngine
import RackTestSupport
import Testing
import UnitMeasurement

/// A parameter that is set while a rack plays moves smoothly: a sine of 1 kHz at -12 dBFS has no spurs
/// above -80 dBc more than 1 kHz away.
struct TraceTests {
  private static let level = 0.25
  private static let block = 64
  /// The length of each half, frames; the parameter moves at the start of the second.
  private static let half = 8192

  /// Returns the spurs in dBc of a rack whose level is moved from -20 dB to 0 dB by `move` or by
  /// `messages`.
  private func spurs(
    _ messages: [RackRenderer.Message] = [], arrivesIn: Int = 961,
    move: (AudioUnit) throws -> Void = { _ in }
  ) throws -> Double {
    let plan = try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units: { level: { unit: aufx/gain/bkln, parameters: { gain: -20 dB } } }
      connections: [ in -> level -> out ]
      controls:
        - { from: keys cc 7, to: level.gain, range: [-20 dB, 0 dB] }
        - { from: keys program 1, to: scene loud }
      scenes: { loud: { level.gain: 0 dB } }
      """)
    let renderer = try RackRenderer(plan, catalogue: TestRacks.catalogue)
    let unit = try #require(renderer.audioUnit(named: "level"))
    let sine = Signals.sine(frequency: 1000, amplitude: Self.level, frames: 2 * Self.half)
    var output: [Float] = []
    for start in stride(from: 0, to: sine.count, by: Self.block) {
      if start == Self.half { try move(unit) }
      let due = messages.filter { (start..<start + Self.block).contains($0.frame) }
        .map { RackRenderer.Message(frame: $0.frame - start, bytes: $0.bytes) }
      output += try renderer.render(
        frames: Self.block, inputs: [Array(sine[start..<start + Self.block])], messages: due)[0]
    }
    let arrival = max(Self.half, messages.last?.frame ?? 0) + arrivesIn
    #expect((arrival..<output.count).allSatisfy { abs(output[$0] - sine[$0]) < 1e-5 })
    let spectrum = LineSpectrum(output)
    return max(spectrum.peak(from: 0, to: 10), spectrum.peak(from: 2000, to: 23_990))
      - Level.decibels(Self.level)
  }

  @Test func aParameterLeavesNone() throws {
    #expect(try spurs { try $0.setParameter(0, to: 0) } < -80)
  }

  @Test func aBypassLeavesNone() throws {
    #expect(try spurs { $0.shouldBypassEffect = true } < -80)
  }

  @Test func aSceneLeavesNone() throws {
    #expect(try spurs([.init(frame: Self.half, bytes: [0xC0, 0])]) < -80)
  }

  @Test func aControllersJumpLeavesNone() throws {
    #expect(try spurs([.init(frame: Self.half, bytes: [0xB0, 7, 127])]) < -80)
  }

  /// The pedal sweeps in 64 messages, 2.5 ms apart, and arrives 25 ms after the last.
  @Test func aPedalLeavesNone() throws {
    let sweep = (0..<64).map {
      RackRenderer.Message(
        frame: 4000 + $0 * 120, bytes: [0xB0, 7, UInt8(1 + 2 * $0)])
    }
    #expect(try spurs(sweep, arrivesIn: 1200) < -80)
  }
}
