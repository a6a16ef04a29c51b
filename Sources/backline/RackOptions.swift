import ArgumentParser
import AudioUnits
import UnitModel

/// The units that can be used.
struct CatalogueOptions: ParsableArguments {
  @Option(
    name: .customLong("bundle"),
    help: "A unit bundle besides those in the unit folders; may be given several times.",
    completion: .directory)
  var bundles: [String] = []

  /// The units that come with Backline, and those in the unit folders of the user and the system.
  func catalogue() throws -> ComponentCatalogue {
    let catalogue = ComponentCatalogue(folders: .standard, bundles: bundles)
    for bundle in bundles {
      do {
        _ = try catalogue.facts(for: UnitReference(.bundle(path: bundle)))
      } catch {
        Terminal.complain(of: error)
        throw ExitCode.failed
      }
    }
    return catalogue
  }
}
