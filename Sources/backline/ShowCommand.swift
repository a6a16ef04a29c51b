import ArgumentParser
import AudioUnits
import Documents
import RackEngine
import RackFiles
import RackModel
import UnitModel

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Show a unit's parameters, presets and busses, a rack's graph, or the songs of a set list.")

  @Argument(
    help:
      "A unit (aufx/dely/bkln, Delay, ./Ring.unit), a rack or set list, by file or by name.",
    completion: .subjects)
  var subject: String

  @Flag(help: "For a rack: its graph in the language of Graphviz.")
  var dot = false

  @Flag(help: "For a rack: a picture of its graph, as SVG.")
  var svg = false

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    let catalogue = try units.catalogue()
    let found = try UnitLookup.units(named: subject, in: catalogue)
    if !found.isEmpty && !dot && !svg {
      for facts in found {
        let presets = PresetLibrary.standard.presets(of: facts).entries.map(\.preset.name)
        print(UnitDescription.text(facts, presets: presets))
      }
      return
    }
    if SetListLoader.isSetList(subject) {
      return try show(setList: SetListLoader.locate(subject), catalogue)
    }
    if !RackLoader.isThere(subject) {
      let names =
        catalogue.facts.flatMap { [$0.name, "\($0.component)"] } + RackLoader.shippedNames
        + SetListLoader.shippedNames
      throw Failure(
        "there is no unit and no rack “\(subject)”", code: .wrongRack, nearestTo: subject, in: names
      )
    }
    let plan = try RackLoader.rack(subject, catalogue: catalogue, mayMiss: true).plan
    if svg { return print(plan.svg(catalogue), terminator: "") }
    if dot { return print(RackDrawing.dot(plan, catalogue: catalogue)) }
    print(RackDrawing.text(plan, catalogue: catalogue, latency: latency(plan, catalogue)))
  }

  /// Returns a line with the latency of each output, at 48 kHz and 128 frames a cycle.
  private func latency(_ plan: Plan, _ catalogue: ComponentCatalogue) -> [String] {
    do {
      let (sampleRate, frames) = (48_000.0, 128)
      let renderer = try RackRenderer(
        plan, catalogue: catalogue, sampleRate: sampleRate, blockFrames: frames)
      let conditions = " at 48 kHz" + (plan.dependsOnCycle ? ", \(frames) frames a cycle" : "")
      return renderer.latencies.map {
        "latency  \(LatencyLine.text($0, sampleRate: sampleRate, conditions: conditions))"
      }
    } catch {
      return ["latency  unknown: \(error)"]
    }
  }

  private func show(setList path: String, _ catalogue: ComponentCatalogue) throws {
    let (list, diagnostics) = SetListLoader.load(path, catalogue: catalogue)
    guard let list else { throw Failure(diagnostics) }
    for diagnostic in diagnostics { Terminal.complain("\(diagnostic)") }
    print(SetListDescription.text(list))
  }
}
