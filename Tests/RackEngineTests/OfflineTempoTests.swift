import BacklineTestSupport
import Foundation
import RackEngine
import RackModel
import RackTestSupport
import Testing

/// The transport of a rendering follows the tempo map of its song.
@Suite struct OfflineTempoTests {
  private static let rack = """
    rack: Song
    tempo: 111
    inputs: { keys: { midi: true } }
    outputs: { arp: { midi: true }, clock: { midi: true }, steps: { midi: true } }
    units:
      arpeggiator: { unit: Arpeggiator, parameters: { rate: 0.25 } }
      ticks: { unit: MIDI Clock }
      sequencer: { unit: Step Sequencer, parameters: { play: With Transport } }
    connections: [ keys -> arpeggiator -> arp, keys -> ticks -> clock, sequencer -> steps ]
    """

  /// Sixteenths through a song that accelerates, changes to 6/8 and slows down.
  @Test(arguments: [44_100, 48_000], [17, 64, 512, 4096])
  func everyChangeIsFollowedOnItsFrame(rate: Int, block: Int) throws {
    var map = TempoMap(tempo: 90)
    map.change(at: 1.3, tempo: 133)
    map.change(at: 4, metre: TempoMap.Metre(6, 8))
    map.change(at: 5.1, tempo: 72)
    let rendered = try OfflineRendering(try TestRacks.plan(Self.rack), sampleRate: rate) { job in
      job.messages = [.init(port: 0, time: 0, bytes: [0x90, 60, 100])]
      job.tempoMap = map
      job.length = 4
      job.blockFrames = block
    }
    func seconds(at quarter: Double) -> Double {
      switch quarter {
      case ..<1.3: quarter * 60 / 90
      case ..<5.1: 1.3 * 60 / 90 + (quarter - 1.3) * 60 / 133
      default: 1.3 * 60 / 90 + 3.8 * 60 / 133 + (quarter - 5.1) * 60 / 72
      }
    }
    let exact = Array((0...).lazy.map { seconds(at: Double($0) / 4) }.prefix { $0 < 4 - 1e-3 })
    for name in ["arp", "steps"] {
      let starts = (rendered.midi[name] ?? []).filter { $0.bytes[0] == 0x90 }.map(\.frame)
      try #require(starts.count == exact.count, "\(name)")
      for (start, time) in zip(starts, exact) {
        #expect(abs(Double(start) - time * Double(rate)) <= 1.01, "\(name) at \(time)")
      }
    }
  }

  @Test(arguments: [(nil, 111.0), (TempoMap(tempo: 90), 90)])
  func withoutAMapItIsTheRacksTempo(map: TempoMap?, tempo: Double) throws {
    let rendered = try OfflineRendering(try TestRacks.plan(Self.rack)) { job in
      (job.tempoMap, job.length) = (map, 2)
      job.messages = [.init(port: 0, time: 0, bytes: [0x90, 60, 100])]
    }
    let starts = (rendered.midi["steps"] ?? []).filter { $0.bytes[0] == 0x90 }.map(\.frame)
    #expect(starts.count == Int((2 * tempo / 15).rounded(.up)))
    #expect(abs(Double(starts[4]) - 60 * 48_000 / tempo) <= 1)
  }

  /// Lanes in beats last as long as their beats do, and so does the rendering.
  @Test func lanesInBeatsFollowTheMap() throws {
    let plan = try TestRacks.plan(
      """
      rack: Lane
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units: { level: { unit: Gain } }
      connections: [ in -> level -> out ]
      automation: { level.gain: { points: [0 dB @ beat 1, -20 dB @ beat 5], curve: hold } }
      """)
    var map = TempoMap(tempo: 120)
    map.change(at: 2, tempo: 60)
    let input = Signals.constant(1, frames: 240_000)
    let rendered = try OfflineRendering(plan, inputs: ["in": [input]]) { $0.tempoMap = map }
    let output = rendered.output[0]
    // Two quarter notes take half a second each, and two a second each.
    #expect(abs(output[143_000] - 1) < 1e-3 && abs(output[146_000] - 0.1) < 1e-3)
  }
}
