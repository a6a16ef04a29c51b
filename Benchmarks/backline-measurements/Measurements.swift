import ArgumentParser
import AudioUnits
import Foundation
import RackFiles
import RackModel
import UnitMeasurement

@main
struct Measurements: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backline-measurements",
    abstract: "Measures the built-in units.",
    discussion: """
      Prints each figure beside its goal; the exit code is 1 when a figure misses its goal or could \
      not be measured.
      """)

  @Option(help: "Only this unit, as in aufx/lpas/bkln.")
  var unit: String?

  @Option(help: "Also write the pictures and the tables of the pages in this folder.")
  var pages: String?

  @Option(help: "Write the racks' page and pictures into this folder, and measure no unit.")
  var racks: String?

  func run() throws {
    if let racks { return try write(RackPage(in: URL(filePath: racks))) }
    var rows = [["Unit", "Figure", "Measured", "Goal", "", "Peer"]]
    var failed = false
    for measured in MeasuredUnit.all where unit == nil || unit == "\(measured)" {
      let figures = try measured.figures.map { ($0, try $0.value(of: measured.unit)) }
      let presets = try measured.presetFigures.map { ($0, try $0.value(of: measured.unit)) }
      for (figure, value) in figures + presets {
        let isMet = figure.isMet(by: value)
        failed = failed || !isMet
        rows.append([
          measured.name, figure.name, figure.text(value), figure.goalText,
          isMet ? "ok" : "MISSED", figure.peer ?? "",
        ])
      }
      if let pages { try write(measured, figures, into: URL(filePath: pages)) }
    }
    if let pages {
      let index = UnitIndex.file(in: URL(filePath: pages))
      let text = try String(contentsOf: index, encoding: .utf8)
      try Data(UnitIndex.renewed(text).utf8).write(to: index)
    }
    show(rows)
    if failed { throw ExitCode.failure }
  }

  private func write(_ measured: MeasuredUnit, _ figures: [(Figure, Double)], into folder: URL)
    throws
  {
    let page = UnitPage(measured, in: folder)
    let plot = try measured.picture(measured.unit)
    try Data(plot.svg.utf8).write(to: page.picture)
    let text = (try? String(contentsOf: page.file, encoding: .utf8)) ?? "# \(measured.name)\n"
    let renewed = page.renewed(text, title: plot.title, figures: figures.map { ($0, $1) })
    try Data(renewed.utf8).write(to: page.file)
  }

  private func write(_ page: RackPage) throws {
    let catalogue = ComponentCatalogue()
    var (racks, values): ([String: CheckedRack], [String: [String]]) = ([:], [:])
    for rack in MeasuredRack.all {
      let checked = try Rack.load(rack.name, catalogue: catalogue)
      let renderings = try (0..<3).map { _ in
        try RackRendering(rack, checked.plan, catalogue: catalogue)
      }
      let rendering = renderings[0]
      let cost = renderings.map(\.cost).min() ?? 0
      (racks[rack.name], values[rack.name]) = (checked, try rendering.values(cost: cost))
      try Data(checked.plan.svg(catalogue).utf8).write(to: page.graph(of: rack))
      try Data(rendering.picture(title: rack.caption).svg.utf8).write(to: page.spectrum(of: rack))
    }
    let text = try String(contentsOf: page.file, encoding: .utf8)
    let renewed = page.renewed(text, racks: racks, measured: values, catalogue: catalogue)
    try Data(renewed.utf8).write(to: page.file)
    show(MeasuredRack.all.map { [$0.name] + (values[$0.name] ?? []) })
  }

  private func show(_ rows: [[String]]) {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
      print(cells.joined(separator: "  "))
    }
  }
}
