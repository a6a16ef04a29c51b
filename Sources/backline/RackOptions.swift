import ArgumentParser
import AudioUnits

/// The units that can be used.
struct CatalogueOptions: ParsableArguments {
  @Option(
    name: .customLong("library"),
    help: "A shared library with units of your own; may be given several times.")
  var libraries: [String] = []

  func catalogue() throws -> ComponentCatalogue {
    var catalogue = ComponentCatalogue()
    for path in libraries {
      do {
        try catalogue.add(libraryAt: path)
      } catch {
        Terminal.complain("error: \(error)")
        throw ExitCode.failed
      }
    }
    return catalogue
  }
}
