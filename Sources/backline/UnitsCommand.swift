import ArgumentParser
import AudioUnits
import Documents
import UnitModel

struct Units: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the units.",
    discussion: """
      Without an argument all of them: those that come with Backline, those in bundles and plug-ins, and \
      then what cannot be used, with the reasons. Words choose those that have them all in their name, \
      maker, description, tags, presets or identifier: backline units reverb calf. A description may have \
      wildcards, as in 'aufx/*/*' (quote it, so that the shell leaves it alone), and a version, as in \
      aufx/ring/bkln@1.0.0.
      """)

  @Argument(help: "Words, or type/subtype/manufacturer, * for any.")
  var words: [String] = []

  @Option(
    help: "Only units with this tag: \(ComponentTag.uses.joined(separator: ", ").lowercased()), …")
  var tag: String?

  @Flag(name: .customLong("refused"), help: "Only bundles that cannot be used, and why.")
  var onlyRefused = false

  @Flag(help: "Print everything known as JSON.")
  var json = false

  @OptionGroup var catalogueOptions: CatalogueOptions

  func validate() throws {
    if onlyRefused && (!words.isEmpty || tag != nil) {
      throw ValidationError(
        "--refused lists all bundles that cannot be used; it has no other filter")
    }
  }

  func run() throws {
    let catalogue = try catalogueOptions.catalogue()
    let (components, refused) = (catalogue.components, catalogue.refusedBundles)
    if onlyRefused {
      if json {
        print(try JSONText.of(refused.map(RefusedListing.init)))
      } else {
        list(refused)
      }
      return
    }
    let found = components.filter(isWanted)
    guard !found.isEmpty else {
      throw Failure("no unit \(sought(components))")
    }
    if json {
      print(try JSONText.of(found.map(UnitListing.init)))
    } else {
      list(found)
      if words.isEmpty && tag == nil && !refused.isEmpty {
        print("\nCannot be used:")
        list(refused)
      }
    }
  }

  private func isWanted(_ component: Component) -> Bool {
    let hasWords = words.allSatisfy { word in
      let reference = UnitReference(word)
      guard case .component = reference.subject else {
        return component.texts.contains { $0.lowercased().contains(word.lowercased()) }
      }
      return reference.names(component.component, called: component.name)
        && reference.version ?? component.version == component.version
    }
    return hasWords && (tag.map(component.hasTag) ?? true)
  }

  /// Prints a line for each unit. Older versions have their number.
  private func list(_ components: [Component]) {
    var seen: Set<ComponentDescription> = []
    let rows = components.map { component in
      let isHighest = seen.insert(component.component).inserted
      let version = isHighest ? "" : "@\(component.versionText)"
      // The summary of some plug-ins is a page long.
      let summary = component.facts.summary
      let short = summary == component.name ? "" : String(summary.prefix(100))
      return ["\(component.component)\(version)", component.name, short]
    }
    for line in Table.lines(rows) { print(line) }
  }

  private func list(_ refused: [RefusedBundle]) {
    for bundle in refused {
      print("  \(bundle.component?.plugIn ?? bundle.bundle.path)")
      for problem in bundle.problems { print("    \(problem)") }
    }
  }

  /// Returns a description of the filter that matched no unit.
  private func sought(_ components: [Component]) -> String {
    let said = words.isEmpty ? nil : "is described by \(words.joined(separator: " "))"
    let filters = [said, tag.map { "has the tag \($0)" }]
    return filters.compactMap(\.self).joined(separator: " and ")
      + (tag.map { adviceOnTag($0, among: components) } ?? "")
  }
}

extension Units {
  /// Returns a suggestion of the nearest tag; if none is near, of the tags for uses; empty if a unit has the tag.
  private func adviceOnTag(_ tag: String, among components: [Component]) -> String {
    guard !components.contains(where: { $0.hasTag(tag) }) else { return "" }
    let tags = Set(components.flatMap(\.tags) + ComponentTag.predefined).sorted()
    let nearest = nearestWord(to: tag, in: tags)
    return nearest == nil
      ? "; there are \(ComponentTag.uses.joined(separator: ", ").lowercased()) and more"
      : advice(nearest)
  }
}

extension Component {
  /// The texts by which the unit is found.
  fileprivate var texts: [String] {
    [name, facts.manufacturerName, facts.summary, "\(component)"] + tags
      + facts.factoryPresets.map(\.name)
  }
}

/// A bundle that cannot be used, in the output of `--json`.
private struct RefusedListing: Encodable {
  var bundle: String
  var unit: String?
  var name: String?
  var problems: [String]

  init(_ refused: RefusedBundle) {
    bundle = refused.bundle.path
    unit = refused.component.map { "\($0)" }
    name = refused.name
    problems = refused.problems
  }
}
