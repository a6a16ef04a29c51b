import AudioUnits
import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitModel
import UnitValidation

/// A unit that breaks one rule fails the check for that rule, with the expected reason, and passes
/// all others.
@Suite(
  .enabled(if: FaultyUnit.clang != nil, "clang is not on the PATH"),
  .disabled(if: isSanitized, "a sanitizer has its own way with memory and crashes"))
struct FaultyUnitTests {
  @Test func everyCheckHasAFault() {
    let failing = Set(FaultyUnit.all.flatMap(\.expected.keys))
    #expect(Set(Check.all.map(\.name)).symmetricDifference(failing).isEmpty)
    #expect(!FaultyUnit.all.contains { $0.expected.isEmpty })
  }

  @Test(arguments: FaultyUnit.all) func failsWhereItShould(_ unit: FaultyUnit) throws {
    let folder = try TemporaryFolder()
    let validator = try Validator(
      libraryPath: try unit.build(in: folder),
      timeLimit: unit.name == "hangs" ? 10 : 60)
    let listed = try #require(try validator.units().first)
    let report = try validator.run(Check.all, on: listed) { _ in }
    #expect(!report.passes)
    #expect(report.checks.map(\.check) == Check.all.map(\.name))
    for check in report.checks {
      if let reason = unit.expected[check.check] {
        #expect(check.result == .failure && check.reason.contains(reason), "\(check)")
      } else {
        #expect(check.result != .failure && check.result != .warning, "\(check)")
      }
    }
  }

  @Test func aSidechainIsNoPartOfTheChannelCapabilities() throws {
    let folder = try TemporaryFolder()
    let validator = try Validator(
      libraryPath: try FaultyUnit(name: "loading/has-a-sidechain").build(in: folder))
    let listed = try #require(try validator.units().first)
    let checks = ["busses", "channel-capabilities", "opening"].compactMap(Check.named)
    #expect(try validator.run(checks, on: listed).passes)
  }

  @Test func aCrashIsPlaced() throws {
    let folder = try TemporaryFolder()
    let unit = FaultyUnit(name: "crashes-on-three-channels")
    let validator = try Validator(libraryPath: try unit.build(in: folder))
    let listed = try #require(try validator.units().first)
    let checks = ["functions", "opening", "formats"].compactMap(Check.named)
    let reason = try #require(
      try validator.run(checks, on: listed).checks.first { $0.result == .failure }?.reason)
    #expect(reason.contains(" while ") && reason.contains(" Faulty, in unit.so+0x"), "\(reason)")
    // The failing macro is expanded in the header.
    #expect(reason.contains("plain_unit.h:"), "\(reason)")
  }

  /// The result of a full validation is recorded, also for a unit of the host's own code, which is
  /// validated in this process.
  @Test func aUnitOfTheHostsOwnCodeIsValidatedAndRemembered() async throws {
    let own = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
    own.initialize(to: BuiltInUnit("aufx/gain/bkln").facts)
    // Use codes that were never validated.
    let code = String(UInt16.random(in: 0x1000...0xFFFF), radix: 16)
    own.pointee.component.subtype = try #require(FourCharacterCode(code)).rawValue
    own.pointee.component.manufacturer = FourCharacterCode("Host").rawValue
    own.pointee.name = UnsafePointer(strdup("Mine"))
    let component = try ComponentCatalogue().register(UnsafePointer(own))
    let some = ["functions", "opening"].compactMap(Check.named)
    #expect(try await component.validate(some).passes)
    #expect(component.validation == .unknown)
    let report = try await component.validate()
    #expect(report.passes && report.unit == "aufx/\(code)/Host" && report.unrecorded == nil)
    #expect(
      Set(report.checks.filter { $0.result == .notApplicable }.map(\.check))
        .isSuperset(of: ["resources", "render-thread"]))
    #expect(component.validation == .passed)
  }

  /// The test validates a component as a host that embeds units does.
  @Test func aComponentIsValidatedFromSwift() async throws {
    let description = try #require(ComponentDescription("aufx/gain/bkln"))
    let component = try #require(
      try ComponentCatalogue().components(for: .init(.component(description))).first)
    let checks = ["functions", "component", "opening"].compactMap(Check.named)
    let report = try await component.validate(checks)
    #expect(report.passes && report.checks.map(\.check) == checks.map(\.name))
    #expect(report.unit == "aufx/gain/bkln")
  }

  @Test func aLibraryThatCrashesIsRefused() throws {
    let folder = try TemporaryFolder()
    let refusal = #expect(throws: Validator.Refusal.self) {
      try Validator(
        libraryPath: try FaultyUnit(name: "loading/crashes").build(in: folder), timeLimit: 60
      ).units()
    }
    #expect(refusal?.description.contains("crashed with signal 6") == true)
  }

  @Test func aLibraryThatStartsAProcessIsRefused() throws {
    let folder = try TemporaryFolder()
    let refusal = #expect(throws: Validator.Refusal.self) {
      try Validator(
        libraryPath: try FaultyUnit(name: "loading/starts-a-process").build(in: folder),
        timeLimit: 60
      ).units()
    }
    #expect(
      refusal?.description.contains("refused: clone: units may not start processes: loading it")
        == true)
  }

  @Test func whatIsRefusedAndDoesNoHarmIsAWarning() throws {
    let folder = try TemporaryFolder()
    let validator = try Validator(
      libraryPath: try FaultyUnit(name: "loading/reads-a-private-file").build(in: folder),
      timeLimit: 60)
    let listed = try #require(try validator.units().first)
    let checks = ["functions", "component", "opening", "tail"].compactMap(Check.named)
    let reports = try validator.run(checks, on: listed) { _ in }.checks
    #expect(reports.map(\.result) == [.warning, .pass, .warning, .warning])
    let foreign = "it is not among the unit's own files"
    #expect(reports[0].reason == "refused: openat /etc/passwd: \(foreign)")
    #expect(reports[2].reason.hasSuffix("refused: openat /etc/group: \(foreign)"))
  }
}
