import BacklineTestSupport
import Testing

@testable import AudioUnits
@testable import RackEngine

@Suite struct ProcessPlacementTests {
  private let costs = WakeCosts(same: 6_000, other: 36_000)

  /// Returns the placement of a row of two units, and two more units beside it.
  private func placement(_ costs: WakeCosts) -> ProcessPlacement {
    ProcessPlacement(sideBranches: [2, 3], beside: [0, 1], costs: costs)
  }

  @Test func littleWorkStaysWhereItIsCheapToWake() {
    var placement = placement(costs)
    let moves = placement.add([20_000, 20_000, 20_000, 20_000])
    #expect(!moves)
    #expect(placement.elsewhere.isEmpty)
  }

  @Test func muchWorkIsDoneSideBySideAndComesBackOnceItIsLittle() {
    var placement = placement(costs)
    let moves = placement.add([80_000, 80_000, 80_000, 80_000])
    #expect(moves)
    #expect(placement.elsewhere == [2, 3])
    var rounds = 0
    while !placement.elsewhere.isEmpty, rounds < 1000 {
      _ = placement.add([5_000, 5_000, 5_000, 5_000])
      rounds += 1
    }
    // A single quick cycle does not change the placement.
    #expect(placement.elsewhere.isEmpty && rounds > 5)
  }

  @Test func whatHasNothingBesideItStays() {
    var placement = placement(costs)
    let moves = placement.add([0, 0, 200_000, 200_000])
    #expect(!moves)
    var row = ProcessPlacement(sideBranches: [], beside: [], costs: costs)
    let movesInARow = row.add([200_000, 200_000, 200_000, 200_000])
    #expect(!movesInARow)
  }

  @Test func whatComesBeforeTheBranchesRunsBesideNothing() {
    var placement = ProcessPlacement(sideBranches: [2], beside: [1], costs: costs)
    let moves = placement.add([1_000_000, 5_000, 300_000])
    #expect(!moves)
  }

  @Test func withOneProcessorNobodyMoves() {
    var placement = placement(WakeCosts(same: 6_000, other: nil))
    let moves = placement.add([500_000, 500_000, 500_000, 500_000])
    #expect(!moves)
  }

  /// A cost is 0 on a machine that is too busy, and always plausible.
  @Test func wakeCostsAreMeasured() {
    let costs = WakeCosts.measure(processor: 0, priority: 0)
    #expect((0...100_000_000).contains(costs.same))
    #expect(costs.other.map { (1...100_000_000).contains($0) && costs.same > 0 } ?? true)
  }
}
