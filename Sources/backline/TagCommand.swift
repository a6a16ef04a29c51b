import ArgumentParser
import AudioUnits
import Documents
import UnitModel

struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Tag units, to find them with backline units --tag.",
    discussion: """
      They are kept in ~/.config/backline/tags.yaml.
        backline tag add aufx/dely/bkln Favourite
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all tags, with the number of units.")

    @OptionGroup var units: CatalogueOptions

    func run() throws {
      let components = try units.catalogue().components
      let tags = ComponentTag.predefined + components.flatMap(\.tags)
      var seen: Set<String> = []
      for tag in tags.sorted(by: { $0.lowercased() < $1.lowercased() })
      where seen.insert(tag.lowercased()).inserted {
        print("\(components.count { $0.hasTag(tag) })\t\(tag)")
      }
    }
  }

  /// The arguments for a unit and tags.
  struct Subject: ParsableArguments {
    @Argument(help: "A unit: aufx/dely/bkln, its name, or a bundle.")
    var unit: String

    @Argument(help: "Tags.")
    var tags: [String]

    @OptionGroup var units: CatalogueOptions

    func validate() throws {
      if tags.contains(where: \.isEmpty) { throw ValidationError("a tag cannot be empty") }
    }

    /// Calls `body` with each tag.
    func change(_ body: (UserTags, String, ComponentDescription) throws -> Void) throws {
      let catalogue = try units.catalogue()
      let facts = try UnitLookup.unit(named: unit, in: catalogue)
      for tag in tags { try body(catalogue.tags, tag, facts.component) }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add tags to a unit.")

    @OptionGroup var subject: Subject

    func run() throws { try subject.change { try $0.add($1, to: $2) } }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove your tags from a unit.")

    @OptionGroup var subject: Subject

    func run() throws {
      try subject.change { tags, tag, component in
        guard try tags.remove(tag, from: component) else {
          throw Failure(
            "\(component) has no tag “\(tag)” of yours", code: .usage, nearestTo: tag,
            in: tags.tags(of: component))
        }
      }
    }
  }
}
