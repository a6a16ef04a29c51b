import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackModel

struct TailTests {
  @Test func theLongestWayCounts() throws {
    let plan = try TestRacks.plan(
      units: """
        c: { unit: aufx/gain/bkln }
        a: { unit: aufx/gain/bkln }
        b: { unit: aufx/gain/bkln }
        """, "in -> a -> c -> out", "in -> b -> c", "a -> out")
    #expect(plan.tailTime(unitTails: [1, 4, 2]) == 5)
    #expect(plan.tailTime(unitTails: [1, 2, .infinity]) == .infinity)
  }

  /// A plan need not come from a rack file.
  @Test func aVeryLongChainIsNoTrouble() throws {
    var plan = try TestRacks.plan(units: "a: { unit: aufx/gain/bkln }", "in -> a -> out")
    let (count, position) = (26_000, plan.cables[0].position)
    plan.units = Array(repeating: plan.units[0], count: count)
    plan.cables =
      (1..<count).map {
        Cable(source: .unit($0 - 1, bus: 0), destination: .unit($0, bus: 0), position: position)
      } + [Cable(source: .unit(count - 1, bus: 0), destination: .port(0), position: position)]
    #expect(plan.tailTime(unitTails: Array(repeating: 1, count: count)) == Double(count))
  }
}
