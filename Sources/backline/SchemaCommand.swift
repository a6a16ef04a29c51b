import ArgumentParser
import RackModel

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the JSON Schema of rack files, for editors.",
    discussion: """
      Made from the units that there are, with their parameters and presets:
        backline schema > ~/.config/backline/rack.schema.json
      """)

  @OptionGroup var units: CatalogueOptions

  func run() throws {
    print(RackSchema.json(catalogue: try units.catalogue().facts))
  }
}
