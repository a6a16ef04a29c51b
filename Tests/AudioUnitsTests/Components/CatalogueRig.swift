import AudioUnits
import BacklineTestSupport

/// A catalogue of one unit folder, with its own cache and tags.
struct CatalogueRig {
  let folder: TemporaryFolder
  let catalogue: ComponentCatalogue
  var units: String { folder.path("units") }

  init() throws {
    folder = try TemporaryFolder()
    catalogue = Self.catalogue(in: folder)
  }

  /// Returns another catalogue of the folder, like that of another program.
  func another() -> ComponentCatalogue { Self.catalogue(in: folder) }

  private static func catalogue(in folder: TemporaryFolder) -> ComponentCatalogue {
    ComponentCatalogue(
      folders: UnitFolders([folder.path("units"), folder.path("more-units")]),
      cacheFolder: folder.path("cache"), tagFile: folder.path("config/tags.yaml"))
  }

  @discardableResult
  func bundle(
    _ name: String = "Template", in subfolder: String = "units",
    manifest: ((String) -> String?) = { $0 }, code: ((String) -> String?) = { $0 }
  ) throws -> TestBundle {
    try TestBundle(name, in: folder.path(subfolder), manifest: manifest, code: code)
  }

  /// The problems of the refused bundles.
  var problems: [String] { catalogue.refusedBundles.flatMap(\.problems) }
}
