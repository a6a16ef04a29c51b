import ArgumentParser
import Documents
import RackModel
import RackStage

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check rack files and set lists, and report every error.",
    discussion: """
      For a rack without errors it prints the number of units, inputs and outputs. A set list is checked \
      with all its racks. The exit code is 2 after an error, otherwise 0.
      """)

  @Argument(
    help: "Rack files and set lists, or names of those that come with Backline.",
    completion: .performances)
  var racks: [String]

  @Flag(help: "Print the findings as JSON.")
  var json = false

  @Flag(help: "Print nothing about racks without errors.")
  var quiet = false

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    var findings: [Diagnostic] = []
    var allGood = true
    var praise: [String] = []
    for rack in racks {
      // Each rack has unit folders of its own.
      let catalogue = try units.catalogue()
      if SetListLoader.isSetList(rack) {
        let (list, diagnostics) = SetListLoader.load(
          SetListLoader.locate(rack), catalogue: catalogue)
        findings += diagnostics
        let isGood = list != nil && !diagnostics.contains { $0.severity == .error }
        allGood = allGood && isGood
        if isGood, let count = list?.list.songs.count {
          praise.append("\(rack): fine, with \(numbered(count, "song"))")
        }
        continue
      }
      let (checked, diagnostics) = RackLoader.load(
        rack, catalogue: catalogue, setLists: SetListLoader.shippedNames)
      findings += diagnostics
      allGood = allGood && checked != nil
      if let checked {
        let use = checked.plan.hasOfflineEffects ? ", to be rendered" : ""
        praise.append("\(rack): fine, with \(Self.contents(of: checked.plan))\(use)")
      }
    }
    if json {
      print(try JSONText.of(findings))
    } else {
      for finding in findings { print(finding) }
      if !quiet { for line in praise { print(line) } }
    }
    if !allGood { throw ExitCode.wrongRack }
  }

  /// "2 units, 1 input and 1 output"
  private static func contents(of plan: Plan) -> String {
    let units = numbered(plan.units.count, "unit")
    let inputs = numbered(plan.inputs.count + plan.midiInputs.count, "input")
    let outputs = numbered(plan.outputs.count + plan.midiOutputs.count, "output")
    return "\(units), \(inputs) and \(outputs)"
  }
}
