import AudioUnits
import BacklineTestSupport
import Testing
import UnitModel

@Suite struct ProcessGroupTests {
  private func unit(_ name: String, _ process: ProcessChoice) throws -> AudioUnit {
    let catalogue = ComponentCatalogue()
    let description = try #require(ComponentDescription(name))
    let component = try #require(
      try catalogue.components(for: .init(.component(description))).first)
    return try AudioUnit(component, process: process)
  }

  @Test func unitsOfAGroupShareAProcessAndItEndsWithTheLast() async throws {
    var first: AudioUnit? = try unit("aufx/gain/bkln", .group("shared"))
    var second: AudioUnit? = try unit("aufx/dely/bkln", .group("shared"))
    let other = try unit("aufx/gain/bkln", .group("another"))
    let process = try #require(first?.processIdentifier)
    #expect(second?.processIdentifier == process)
    #expect(other.processIdentifier != process)
    first = nil
    #expect(second?.processIdentifier == process)
    second = nil
    #expect(try await ProcessTable.loses(process))
  }

  @Test func aUnitThatIsLetGoTakesItsProcessAlong() async throws {
    var unit: AudioUnit? = try unit("aufx/gain/bkln", .own)
    let process = try #require(unit?.processIdentifier)
    unit = nil
    #expect(try await ProcessTable.loses(process))
  }
}
