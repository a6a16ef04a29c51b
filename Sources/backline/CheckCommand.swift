import ArgumentParser
import AudioUnits
import Documents
import RackFiles
import RackModel

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check rack files and set lists, and report every error.",
    discussion: """
      For a rack without errors it prints the number of units, inputs and outputs. A set list is checked \
      with all its racks. Every file that a rack names is opened as for playing: models, responses, \
      instruments with their samples, sounds, tunings. The exit code is 2 after an error, otherwise 0.
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
        let playable = SetListLoader.load(
          SetListLoader.locate(rack), catalogue: catalogue, mayMiss: true
        ).list
        let files = Self.findings(of: playable?.racks.compactMap(\.self) ?? [], catalogue)
        findings += diagnostics + files
        let isGood = list != nil && !(diagnostics + files).contains { $0.severity == .error }
        allGood = allGood && isGood
        if isGood, let count = list?.list.songs.count {
          praise.append("\(rack): \(Self.word(files)), with \(numbered(count, "song"))")
        }
        continue
      }
      let (checked, diagnostics) = RackLoader.load(
        rack, catalogue: catalogue, setLists: SetListLoader.shippedNames)
      // Missing units do not hide damaged files.
      let playable =
        checked ?? RackLoader.load(rack, catalogue: catalogue, mayMiss: true).rack
      let files = Self.findings(of: [playable].compactMap(\.self), catalogue)
      findings += diagnostics + files
      let isGood = checked != nil && !files.contains { $0.severity == .error }
      allGood = allGood && isGood
      if isGood, let checked {
        let use = checked.plan.hasOfflineEffects ? ", to be rendered" : ""
        praise.append(
          "\(rack): \(Self.word(files)), with \(Self.contents(of: checked.plan))\(use)")
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

  /// Returns the problems of the files of racks, each once.
  private static func findings(
    of racks: [CheckedRack], _ catalogue: ComponentCatalogue
  ) -> [Diagnostic] {
    var (files, findings): (Set<String>, [Diagnostic]) = ([], [])
    for rack in racks where files.insert(rack.file.file).inserted {
      findings += RackLoader.fileFindings(of: rack, catalogue: catalogue)
        .filter { !findings.contains($0) }
    }
    return findings
  }

  private static func word(_ findings: [Diagnostic]) -> String {
    findings.isEmpty ? "fine" : "plays in part"
  }

  /// Returns the numbers of units and ports: "2 units, 1 input and 1 output".
  private static func contents(of plan: Plan) -> String {
    let units = numbered(plan.units.count, "unit")
    let inputs = numbered(plan.inputs.count + plan.midiInputs.count, "input")
    let outputs = numbered(plan.outputs.count + plan.midiOutputs.count, "output")
    return "\(units), \(inputs) and \(outputs)"
  }
}
