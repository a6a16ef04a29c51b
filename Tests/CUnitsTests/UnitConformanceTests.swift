import BacklineTestSupport
import Testing
import UnitValidation

/// Every check of `backline validate`, on every unit that comes with Backline, in this process: so
/// the sanitizers see it too. What needs a process of its own is in ValidateCommandTests.
@Suite struct UnitConformanceTests {
  @Test func noTwoUnitsShareAComponentDescription() {
    let descriptions = BuiltInUnit.all.map(\.description)
    #expect(Set(descriptions).count == descriptions.count)
  }

  /// 1, 2, 3 ... without a gap, and something to show for every unit that has parameters.
  @Test(arguments: BuiltInUnit.all) func overviewRanksCountUp(_ unit: BuiltInUnit) {
    let ranks = unit.parameters.map(\.overview_rank).filter { $0 > 0 }.sorted()
    #expect(ranks == Array(1...UInt32(max(1, ranks.count))))
  }

  @Test(arguments: BuiltInUnit.all) func everyGroupHasAName(_ unit: BuiltInUnit) {
    let named = (0..<Int(unit.facts.parameter_group_count)).map {
      String(cString: unit.facts.parameter_groups[$0].key_path)
    }
    #expect(Set(named) == Set(unit.parameters.compactMap { $0.group.map { String(cString: $0) } }))
  }

  @Test(arguments: BuiltInUnit.all, Check.all.filter { !$0.needsOwnProcess })
  func passes(_ unit: BuiltInUnit, _ check: Check) {
    switch check.run(on: Subject(unit.descriptor)) {
    case .pass, .notApplicable: break
    case .warning(let reason), .failure(let reason): Issue.record("\(unit): \(reason)")
    }
  }
}
