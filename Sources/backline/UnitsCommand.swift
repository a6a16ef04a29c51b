import ArgumentParser
import AudioUnits
import Foundation
import UnitModel

struct Units: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the units.",
    discussion: """
      Without an argument all of them. A description may have wildcards, as in 'aufx/*/*'; quote it, \
      so that the shell leaves it alone.
      """)

  @Argument(help: "Only units that this stands for: type/subtype/manufacturer, * for any.")
  var description: String?

  @Option(help: "Only units with this tag, such as Delay or Filter.")
  var tag: String?

  @Flag(help: "Print everything known as JSON.")
  var json = false

  @OptionGroup var catalogueOptions: CatalogueOptions

  func run() throws {
    let catalogue = try catalogueOptions.catalogue()
    var found = catalogue.facts
    if let description {
      guard let wanted = ComponentDescription(description) else {
        throw ValidationError(
          "'\(description)' is no description: three codes of four letters or digits, or *, with "
            + "slashes between, as in aufx/dely/bkln or 'aufx/*/*'")
      }
      found = catalogue.components(matching: wanted).map(\.facts)
    }
    if let tag {
      let known = Set(catalogue.facts.flatMap(\.tags))
      found = found.filter { facts in
        facts.tags.contains { $0.caseInsensitiveCompare(tag) == .orderedSame }
      }
      if found.isEmpty {
        let advice = nearestWord(to: tag, in: known.sorted()).map { "; did you mean \($0)?" } ?? ""
        Terminal.complain("no unit has the tag \(tag)\(advice)")
      }
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(found.map(UnitListing.init)), as: UTF8.self))
    } else {
      let width = found.map(\.name.count).max() ?? 0
      for facts in found {
        let name = facts.name + String(repeating: " ", count: width - facts.name.count)
        print("\(facts.component)  \(name)  \(facts.summary)")
      }
    }
  }
}
