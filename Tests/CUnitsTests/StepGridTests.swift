import BacklineTestSupport
import CUnit
import Testing

/// Units that play on a grid of the music, whose steps are made longer and shorter while they play.
@Suite struct StepGridTests {
  private struct Sequencer: Sendable {
    let unit: String
    let parameters: [String: Float]
    /// What sets the grid, and values of it whose grids have every place of the coarser one in common.
    let grid: (name: String, values: [Float])
    /// Quarters between two places of the finer one.
    let distance: Double
    let plays: @Sendable (Sent) -> Bool
  }

  private static let sequencers = [
    Sequencer(
      unit: "aumi/step/bkln", parameters: ["play": 1], grid: ("rate", [2, 5]), distance: 0.25,
      plays: { $0.bytes[0] == 0x90 }),
    Sequencer(
      unit: "aumi/clok/bkln", parameters: [:], grid: ("ratio", [3, 4]), distance: 1.0 / 48,
      plays: { $0.bytes == [0xF8] }),
    Sequencer(
      unit: "aumi/arpg/bkln", parameters: [:], grid: ("rate", [0.25, 0.5]), distance: 0.25,
      plays: { $0.bytes[0] == 0x90 }),
  ]

  /// A host says its beats in ticks of 1920, as JACK does, and so seems to be a little late, and later in
  /// some cycles than in others: a step that was played at the end of one cycle lies in the next as well.
  /// Whatever is set there plays none twice and none too few.
  @Test(arguments: [97.3, 120, 173.13], [60, 64, 441])
  func aStepIsPlayedOnceHoweverTheGridChanges(tempo: Double, block: Int) throws {
    for sequencer in Self.sequencers {
      func starts(_ values: [Float]) throws -> [Int] {
        let host = try UnitHost(
          BuiltInUnit(sequencer.unit).descriptor, parameters: sequencer.parameters)
        host.roll(tempo: tempo)
        let rolling = host.music!
        host.music = { time in
          var music = rolling(time)
          music.0.beat_position = (music.0.beat_position * 1920).rounded(.down) / 1920
          return music
        }
        let changes = values.isEmpty ? 0 : 200_000 / block
        let events = (0..<changes).map { turn in
          UnitHost.Event.parameter(
            host.address(sequencer.grid.name), values[turn % values.count], at: turn * block)
        }
        _ = host.render(
          frames: 200_000, blockSizes: [block], events: [.midi([0x90, 60, 100], at: 0)] + events)
        return host.list.filter(sequencer.plays).map(\.time)
      }
      // Saying again what is so changes nothing.
      let plain = try starts([])
      #expect(try starts([host(sequencer, sequencer.grid.name)]) == plain)
      // Two rates by turns: no two places are nearer than those of the finer grid.
      let both = try starts(sequencer.grid.values)
      let nearest = zip(both.dropFirst().dropFirst(), both.dropFirst()).map { $0 - $1 }.min() ?? 0
      let distance = sequencer.distance * 60 * 48_000 / tempo
      #expect(Double(nearest) > distance - 60, "\(sequencer.unit): \(nearest) of \(distance)")
    }
  }

  private func host(_ sequencer: Sequencer, _ name: String) throws -> Float {
    let host = try UnitHost(BuiltInUnit(sequencer.unit).descriptor)
    return host.value(name)
  }
}
