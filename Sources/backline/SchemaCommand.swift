import ArgumentParser
import RackModel

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the JSON Schema of rack files or set lists, for editors.",
    discussion: """
      Made from the units that there are, with their parameters and presets:
        backline schema > ~/.config/backline/rack.schema.json
        backline schema --setlist > ~/.config/backline/setlist.schema.json
      """)

  @Flag(help: "The schema of set lists.")
  var setlist = false

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    if setlist { return print(SetListSchema.json) }
    print(RackSchema.json(catalogue: try units.catalogue().facts))
  }
}
