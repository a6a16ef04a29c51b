import ArgumentParser
import Documents
import RackModel

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check rack files and say everything that is wrong.",
    discussion: "Ends with 0 when nothing is wrong and with 2 when something is.")

  @Argument(help: "Rack files, or names of racks that come with Backline.", completion: .racks)
  var racks: [String]

  @Flag(help: "Print the findings as JSON.")
  var json = false

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    var findings: [Diagnostic] = []
    var allGood = true
    for rack in racks {
      // Each rack has unit folders of its own.
      let (plan, diagnostics) = RackLoader.load(rack, catalogue: try units.catalogue())
      findings += diagnostics
      allGood = allGood && plan != nil
    }
    if json {
      print(try JSONText.of(findings))
    } else {
      for finding in findings { print(finding) }
    }
    if !allGood { throw ExitCode.wrongRack }
  }
}
