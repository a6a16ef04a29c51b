import ArgumentParser
import AudioUnits
import Documents
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

  func validate() throws {
    if let description, ComponentDescription(description) == nil {
      throw ValidationError(
        "'\(description)' is no description: three codes of four letters or digits, or *, with "
          + "slashes between, as in aufx/dely/bkln or 'aufx/*/*'")
    }
  }

  func run() throws {
    let catalogue = try catalogueOptions.catalogue()
    var found = catalogue.facts
    if let wanted = description.flatMap(ComponentDescription.init) {
      found = catalogue.components(matching: wanted).map(\.facts)
    }
    if let tag {
      found = found.filter { facts in
        facts.tags.contains { $0.caseInsensitiveCompare(tag) == .orderedSame }
      }
    }
    guard !found.isEmpty else {
      Terminal.complain("error: no unit \(sought(catalogue.facts))")
      throw ExitCode.failed
    }
    if json {
      print(try JSONText.of(found.map(UnitListing.init)))
    } else {
      let width = found.map(\.name.count).max() ?? 0
      for facts in found {
        let name = facts.name + String(repeating: " ", count: width - facts.name.count)
        print("\(facts.component)  \(name)  \(facts.summary)")
      }
    }
  }
  /// What was asked for in vain.
  private func sought(_ facts: [UnitFacts]) -> String {
    let tags = Set(facts.flatMap(\.tags)).sorted()
    let advice = tag.flatMap { nearestWord(to: $0, in: tags) }.map { "; did you mean \($0)?" } ?? ""
    let wishes = [description.map { "is described by \($0)" }, tag.map { "has the tag \($0)" }]
    return wishes.compactMap(\.self).joined(separator: " and ") + advice
  }
}
