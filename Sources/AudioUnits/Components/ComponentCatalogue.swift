import AsyncSupport
import CUnit
import CUnits
import Dispatch
import Documents
import UnitModel

/// Every unit that can be played: those that come with Backline and those in bundles.
///
/// Nothing of it may be called on the render thread; what has to look at the disk waits for it, so an
/// actor calls `scan()` first. No code of a bundle runs in this program before its unit is
/// instantiated.
public final class ComponentCatalogue: Sendable {
  /// With the folders of this machine and this user.
  public static let shared = ComponentCatalogue(folders: .standard)

  let store: Guarded<BundleStore>
  public let tags: UserTags
  private let builtIn: [UnitDescriptor]
  private let inspector: LibraryInspector?
  let scanning = DispatchQueue(label: "backline.catalogue", qos: .utility)

  /// - Parameters:
  ///   - folders: where bundles are looked for; nowhere, unless told.
  ///   - bundles: paths of bundles that are there besides.
  ///   - cacheFolder: where what is found out is remembered; nil: nowhere.
  ///   - program: the `backline` program, which reads libraries for this one; nil: the one that is
  ///     this program, lies beside it or is found along the path.
  public init(
    folders: UnitFolders = UnitFolders([]), bundles: [String] = [],
    cacheFolder: String? = nil, tagFile: String? = nil, program: String? = nil
  ) {
    store = Guarded(
      BundleStore(
        folders: folders.paths, bundles: bundles.map(UnitBundle.init),
        cache: BundleCache(folder: cacheFolder ?? UserFolders.cache)))
    tags = UserTags(file: tagFile ?? "\(UserFolders.configuration)/tags.yaml")
    inspector = (program ?? LibraryInspector.findProgram()).map(LibraryInspector.init)
    let library = bl_built_in_units().pointee
    builtIn = (0..<Int(library.unit_count)).compactMap { library.units[$0] }
      .map(UnitDescriptor.init)
  }

  /// Has the bundles of a folder go before all others from now on.
  public func include(folder: String) {
    let path = UnitBundle(path: folder).path
    store.withLock { store in
      store.folders.removeAll { $0 == path }
      store.folders.insert(path, at: 0)
    }
  }

  /// The units that come with Backline.
  var builtInComponents: [Component] {
    builtIn.map { descriptor in
      let component = Component(builtIn: descriptor)
      return Component(builtIn: descriptor, userTags: tags.tags(of: component.component))
    }
  }

  /// The usable one of a bundle, of which the library has been read.
  func component(of bundle: UnitBundle, in store: inout BundleStore) -> Component? {
    guard let facts = store.facts(of: bundle), let manifest = store.record(of: bundle)?.manifest
    else { return nil }
    return Component(
      bundle, manifest: manifest, facts: facts, userTags: tags.tags(of: facts.component))
  }

  /// Reads the libraries of bundles whose manifests are good and whose libraries nobody has read.
  func inspect(_ bundles: [UnitBundle]) {
    let unread = store.withLock { store in
      bundles.compactMap { bundle -> (bundle: UnitBundle, record: BundleRecord)? in
        let record = store.examine(bundle)
        guard record.manifest != nil, store.facts(of: bundle) == nil,
          let again = store.record(of: bundle), again.problems.isEmpty
        else { return nil }
        return (bundle, record)
      }
    }
    guard !unread.isEmpty else { return }
    let answers: [Result<[UnitFacts], BundleFault>] =
      inspector?.units(of: unread.map(\.bundle.libraryPath))
      ?? unread.map { _ in
        .failure(
          BundleFault(
            "the program backline, which reads libraries, is not to be found", isTransient: true))
      }
    for ((bundle, record), answer) in zip(unread, answers) {
      let result = answer.flatMap { units in
        Result { () throws(BundleFault) in
          guard let manifest = record.manifest else { throw BundleFault(record.problems) }
          let presets = UnitManifestReader.read(bundle).presets
          return try BundleFacts.facts(manifest, presets: presets, units: units, bundle: bundle)
        }
      }
      store.withLock { $0.note(result, of: bundle, as: record) }
    }
  }
}
