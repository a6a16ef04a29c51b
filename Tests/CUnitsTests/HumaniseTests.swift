import BacklineTestSupport
import Testing

@Suite struct HumaniseTests {
  private func host(_ parameters: [String: Float]) throws -> UnitHost {
    let host = try UnitHost(BuiltInUnit("aumi/humn/bkln").descriptor, parameters: parameters)
    // One key after another, 200 frames each.
    _ = host.render(
      frames: 1_300_000, blockSizes: [64],
      events: (0..<400).flatMap { key(UInt8(30 + $0 % 60), 3000 * $0, 3000 * $0 + 200) })
    return host
  }

  @Test(arguments: [Float(2), 20, 50]) func notesAreLateAtRandom(timing: Float) throws {
    let notes = try host(["timing": timing, "velocity": 0]).played
    #expect(notes.map(\.note) == (0..<400).map { 30 + $0 % 60 })
    let delays = notes.enumerated().map { Double($0.element.start - 3000 * $0.offset) / 48 }
    #expect(delays.allSatisfy { 0...Double(timing) + 0.02 ~= $0 })
    // The standard deviation of an even distribution.
    let mean = delays.reduce(0, +) / 400
    let deviation = (delays.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 400).squareRoot()
    #expect(abs(deviation / Double(timing) - 0.289) < 0.04)
    #expect(notes.allSatisfy { $0.velocity == 100 })
  }

  @Test func velocitiesSpread() throws {
    let velocities = try host(["timing": 0, "velocity": 20]).played.map(\.velocity)
    #expect(Set(velocities).isSubset(of: 80...120) && Set(velocities).count > 35)
    let all = try host(["timing": 0, "velocity": 64]).played.map(\.velocity)
    #expect(all.max() == 127 && all.allSatisfy { $0 >= 36 })
  }

  @Test func everyNoteLastsAsLong() throws {
    for length in [1, 10, 500] {
      let notes = try host(["timing": 10, "length": Float(length)]).played
      #expect(notes.count == 400)
      #expect(notes.allSatisfy { $0.end == $0.start + 48 * length })
    }
  }

  @Test func aSeedRepeatsItself() throws {
    let first = try host(["seed": 1]).list
    #expect(try host(["seed": 1]).list == first)
    #expect(try host(["seed": 2]).list != first)
  }

  @Test func nothingIsChangedWhereNothingIsAsked() throws {
    let notes = try host(["timing": 0, "velocity": 0]).played
    #expect(notes.map(\.start) == (0..<400).map { 3000 * $0 })
    #expect(notes.allSatisfy { $0.end == $0.start + 200 && $0.velocity == 100 })
  }
}
