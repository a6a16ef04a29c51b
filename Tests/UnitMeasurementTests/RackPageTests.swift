import AudioUnits
import BacklineTestSupport
import Foundation
import RackFiles
import RackModel
import Testing
import UnitMeasurement

/// Every rack that ships is on the page docs/reference/racks.md, with its present graph and sound.
@Suite struct RackPageTests {
  private static let folder = UnitPageTests.folder.deletingLastPathComponent()
  private static let catalogue = ComponentCatalogue()
  private let page = RackPage(in: folder)

  private static func checked(_ rack: MeasuredRack) throws -> CheckedRack {
    try Rack.load(rack.name, catalogue: catalogue)
  }

  @Test func everyRackThatShipsIsMeasured() {
    #expect(MeasuredRack.all.map(\.name).sorted() == RackLoader.shippedNames)
  }

  @Test func thePageHasThePresentSections() throws {
    let text = try String(contentsOf: page.file, encoding: .utf8)
    let racks = try MeasuredRack.all.map { ($0.name, try Self.checked($0)) }
    let renewed = page.renewed(
      text, racks: Dictionary(uniqueKeysWithValues: racks), measured: [:],
      catalogue: Self.catalogue)
    #expect(
      UnitPage.withoutNumbers(text) == UnitPage.withoutNumbers(renewed), "run make pictures")
  }

  @Test(arguments: MeasuredRack.all) func theGraphIsThePresentOne(_ rack: MeasuredRack) throws {
    let drawn = try String(contentsOf: page.graph(of: rack), encoding: .utf8)
    #expect(drawn == (try Self.checked(rack).plan.svg(Self.catalogue)), "run make pictures")
  }

  /// The scenes of the guitars.
  @Test(arguments: ["crunch-guitar", "lead-guitar"])
  func aSoloIsALittleLouderThanTheRhythm(name: String) throws {
    let rack = try #require(MeasuredRack.all.first { $0.name == name })
    func loudness(_ scene: String) throws -> Double {
      var plan = try Self.checked(rack).plan
      for value in try #require(plan.scenes.first { $0.name == scene }).values {
        guard case .parameter(let unit, let address) = value.target,
          let place = plan.units[unit].parameters.firstIndex(where: { $0.address == address })
        else { continue }
        plan.units[unit].parameters[place].value = value.value
      }
      let rendering = try RackRendering(rack, plan, catalogue: Self.catalogue)
      return try RackRendering.levels(of: rendering.output).loudness
    }
    let difference = try loudness("solo") - loudness("rhythm")
    #expect((1...3).contains(difference))
  }

  @Test(arguments: MeasuredRack.all)
  func theRackIsAsLoudAsItShouldBeAndSoundsAsDrawn(_ rack: MeasuredRack) throws {
    let rendering = try RackRendering(
      rack, try Self.checked(rack).plan, catalogue: Self.catalogue)
    let (loudness, truePeak) = try RackRendering.levels(of: rendering.output)
    #expect(rack.goal.contains(loudness))
    #expect(truePeak < 0)
    let plot = rendering.picture(title: rack.caption)
    let drawn = try Drawing(Data(contentsOf: page.spectrum(of: rack))).curves
    try #require(drawn.count == plot.curves.count, "run make pictures")
    for (curve, points) in zip(plot.curves, drawn) {
      let present = plot.pixels(of: curve)
      try #require(points.count == present.count, "run make pictures")
      let farthest = zip(points, present).map { abs($0.y - $1.y) }.max() ?? 0
      // About 1 dB.
      #expect(farthest <= 4, "\(curve.name): run make pictures")
    }
  }
}
