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

  @Test(arguments: BuiltInUnit.all, Check.all.filter { !$0.needsOwnProcess })
  func passes(_ unit: BuiltInUnit, _ check: Check) {
    switch check.run(on: Subject(unit.descriptor)) {
    case .pass, .notApplicable: break
    case .warning(let reason), .failure(let reason): Issue.record("\(unit): \(reason)")
    }
  }
}
