import AudioUnits
import BacklineTestSupport
import Glibc
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

  /// A bundle may read its own files, which the process of a built-in unit may not.
  @Test func whoJoinsAndNeedsOtherFilesTakesTheOthersAlong() async throws {
    let bundles = try CatalogueRig()
    try bundles.bundle()
    let component = try #require(bundles.catalogue.components { $0.bundle != nil }.first)
    let first = try unit("aufx/gain/bkln", .group("mixed"))
    try first.allocateRenderResources()
    first.setRenderTimeout(1_000_000_000)
    let before = try #require(first.processIdentifier)
    let second = try AudioUnit(component, process: .group("mixed"))
    #expect(second.processIdentifier == first.processIdentifier)
    #expect(first.processIdentifier != before)
    first.processPolicy.timeout = 60
    let output = AudioPCMBuffer(
      format: AudioFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 64)
    var cycle = 0
    while try #require(first.processStatistics).requests < 50 {
      try first.render(to: output, at: Int64(64 * cycle))
      cycle += 1
      // The host sends no new request to a process that is late.
      if try #require(first.processStatistics).requests < cycle { usleep(1000) }
    }
    #expect(second.processIdentifier == first.processIdentifier)
    #expect(try await ProcessTable.loses(before))
  }

  @Test func aUnitThatCannotBeLoadedLeavesNoProcess() async throws {
    let bundles = try CatalogueRig()
    let bundle = try bundles.bundle()
    let component = try #require(bundles.catalogue.components { $0.bundle != nil }.first)
    try bundle.compile("int nothing;")
    let before = ProcessTable.all(named: "backline-unit")
    #expect { try AudioUnit(component, process: .own) } throws: {
      "\($0)".contains("backline_unit_library")
    }
    for _ in 0..<20 { _ = try? AudioUnit(component, process: .own) }
    // Other tests' processes start and end meanwhile, but fewer than 15 of them remain.
    let new = ProcessTable.all(named: "backline-unit").subtracting(before)
    var left = new
    for _ in 0..<3000 where left.count >= 15 {
      try await Task.sleep(for: .milliseconds(20))
      left = new.filter { ProcessTable.runs($0) }
    }
    #expect(left.count < 15)
  }
}
