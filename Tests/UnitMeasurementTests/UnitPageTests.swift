import AudioUnits
import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement
import UnitModel

/// Every measured unit has its page in docs/reference/units, with the present tables and picture.
@Suite struct UnitPageTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/reference/units")

  @Test func everyBuiltInUnitIsMeasured() {
    #expect(Set(MeasuredUnit.all.map(\.description)) == Set(BuiltInUnit.all.map(\.description)))
  }

  @Test func theIndexHasThePresentTable() throws {
    let text = try String(contentsOf: UnitIndex.file(in: Self.folder), encoding: .utf8)
    #expect(text == UnitIndex.renewed(text), "run make pictures")
  }

  /// `backline units --tag guitar` and the like find each unit.
  @Test(arguments: BuiltInUnit.all) func everyUnitIsFoundByItsUse(_ unit: BuiltInUnit) {
    #expect(!Set(UnitFacts(unit.facts).tags).isDisjoint(with: ComponentTag.uses))
  }

  @Test(arguments: ComponentTag.uses) func everyUseHasUnits(_ use: String) {
    #expect(BuiltInUnit.all.contains { UnitFacts($0.facts).tags.contains(use) })
  }

  @Test(arguments: MeasuredUnit.all) func thePageHasThePresentTables(_ measured: MeasuredUnit)
    throws
  {
    let page = UnitPage(measured, in: Self.folder)
    let text = try String(contentsOf: page.file, encoding: .utf8)
    let renewed = page.renewed(
      text, title: try measured.picture(measured.unit).title,
      figures: measured.figures.map { ($0, nil) })
    #expect(
      UnitPage.withoutNumbers(text) == UnitPage.withoutNumbers(renewed), "run make pictures")
    #expect(text.hasPrefix("# \(measured.name)\n\n"))
    let prose = text.prefix { $0 != "<" }
    #expect(prose.count > 200, "the page does not say what the unit does to sound")
  }

  @Test(arguments: MeasuredUnit.all) func thePictureShowsTheUnit(_ measured: MeasuredUnit) throws {
    let file = UnitPage(measured, in: Self.folder).picture
    let data = try Data(contentsOf: file)
    #expect(data.count <= 30_000)
    let plot = try measured.picture(measured.unit)
    let drawn = try Drawing(data).curves
    try #require(drawn.count == plot.curves.count && !drawn.isEmpty, "run make pictures")
    for (curve, points) in zip(plot.curves, drawn) {
      let present = plot.pixels(of: curve)
      try #require(points.count == present.count && points.count > 1, "run make pictures")
      let farthest = zip(points, present).map { max(abs($0.x - $1.x), abs($0.y - $1.y)) }.max() ?? 0
      #expect(farthest <= 1, "\(curve.name): run make pictures")
    }
  }
}
