import AsyncSupport
import CUnit
import Documents
import UnitModel

/// Every available unit: those that come with Backline, those in bundles, and those that the host
/// registers.
///
/// Not for the render thread. Calls may wait for the disk, so an actor awaits `scan()` first.
public final class ComponentCatalogue: Sendable {
  /// The catalogue of this machine and the current user.
  public static let shared = ComponentCatalogue(folders: .standard)

  public let tags: UserTags
  let bundles: BundleProvider
  let registered = DescriptorProvider(name: "this program", canRunElsewhere: false)
  private let own: [any ComponentProvider]
  /// The followers to notify of a registration.
  let followers = Guarded<[WeakFollower]>([])
  struct WeakFollower: Sendable { weak var watcher: FolderWatcher? }
  private let included = Guarded<[any ComponentProvider]>([])
  var providers: [any ComponentProvider] { own + included.withLock { $0 } }

  /// - Parameters:
  ///   - folders: the folders of bundles; none by default.
  ///   - bundles: paths of further bundles.
  ///   - cacheFolder: the folder of cached facts of bundles; nil for the user's.
  ///   - tagFile: the file of the user's tags; nil for the user's.
  ///   - program: the `backline` program, which reads libraries for this one; nil for this program
  ///     itself, or the one beside it or in PATH.
  public convenience init(
    folders: UnitFolders = UnitFolders([]), bundles: [String] = [],
    cacheFolder: String? = nil, tagFile: String? = nil, program: String? = nil
  ) {
    self.init(
      folders: folders, bundles: bundles, cacheFolder: cacheFolder, tagFile: tagFile,
      program: program, providers: [])
  }

  /// Creates a catalogue with further providers, which are asked last.
  package init(
    folders: UnitFolders = UnitFolders([]), bundles: [String] = [], cacheFolder: String? = nil,
    tagFile: String? = nil, program: String? = nil, providers: [any ComponentProvider]
  ) {
    let store = BundleStore(
      folders: folders.paths, bundles: bundles.map(UnitBundle.init),
      cache: BundleCache(folder: cacheFolder ?? UserFolders.cache))
    self.bundles = BundleProvider(
      store,
      inspector: (program ?? (try? HelperPrograms.path("backline")))
        .map(LibraryInspector.init))
    let plugIns = PlugInProvider(
      folders: folders.plugIns, cacheFolder: cacheFolder ?? UserFolders.cache)
    own = [DescriptorProvider.builtIn(), registered, self.bundles, plugIns] + providers
    tags = UserTags(file: tagFile ?? "\(UserFolders.configuration)/tags.yaml")
  }

  /// Gives the bundles of a folder precedence over all others from now on.
  public func include(folder: String) { bundles.include(folder: folder) }

  /// Adds a provider that is asked after all others; a provider of the same name stays.
  package func include(_ provider: any ComponentProvider) {
    included.withLock { included in
      if !included.contains(where: { $0.name == provider.name }) { included.append(provider) }
    }
  }

  /// Adds a unit of the host's own code, which runs in this process only.
  ///
  /// - Parameter descriptor: the descriptor; constant for the life of the program, with all that it
  ///   points to.
  /// - Returns: the component, to instantiate.
  /// - Throws: `AudioUnitError` if the descriptor is incomplete, was built for another version of
  ///   the ABI, or describes a unit that the catalogue already has.
  @discardableResult
  public func register(
    _ descriptor: UnsafePointer<bl_unit_descriptor>
  ) throws(AudioUnitError) -> Component {
    let facts = UnitFacts(descriptor.pointee)
    let present = components(matching: facts.component, version: facts.version)
    guard present.isEmpty else {
      throw AudioUnitError(
        unit: facts.name, reason: "there is a unit \(facts.component) \(facts.versionText) already")
    }
    do {
      let component = try registered.add(UnitDescriptor(pointer: descriptor))
      for follower in followers.withLock({ $0 }) { follower.watcher?.report() }
      return component
    } catch {
      throw AudioUnitError(unit: facts.name, reason: error.description)
    }
  }

  /// Reads every manifest and library that has not been read yet, on another thread.
  public func scan() async {
    for provider in providers { await provider.scan() }
  }

  /// Returns the components that a reference may mean, sorted by name, highest version first; nil
  /// stands for all.
  func inventory(for reference: UnitReference? = nil) -> ComponentInventory {
    var claims: [Claim: String] = [:]
    var inventory = ComponentInventory()
    for provider in providers {
      if provider.isAskedLast, let reference, !mayMean(reference, inventory.components) {
        continue
      }
      let found = provider.inventory(for: reference)
      inventory.refused += found.refused
      for component in found.components {
        let claim = Claim(component: component.component, version: component.version)
        if let first = claims[claim], let bundle = component.bundle {
          let problem =
            "\(bundle.path): it claims to be \(component.component) \(component.versionText),"
            + " which \(first) is already"
          inventory.refused.append(
            RefusedBundle(
              bundle: bundle, reasons: [UnitRefusal(problem)], component: component.component,
              name: component.name))
        } else if claims[claim] == nil {
          claims[claim] = component.bundle?.path ?? provider.name
          inventory.components.append(tagged(component))
        }
      }
    }
    // Compare the components' texts only for the few that share a name.
    inventory.components.sort {
      guard $0.name == $1.name else { return $0.name < $1.name }
      return ("\($0.component)", $1.version) < ("\($1.component)", $0.version)
    }
    return inventory
  }

  /// Whether a reference may mean a component of a provider that is asked last, besides these.
  private func mayMean(_ reference: UnitReference, _ others: [Component]) -> Bool {
    if reference.hasWildcard { return true }
    if case .name = reference.subject {
      return !others.contains { reference.names($0.component, called: $0.name) }
    }
    return false
  }

  /// Returns the component with the user's tags.
  func tagged(_ component: Component) -> Component {
    var component = component
    component.userTags = tags.tags(of: component.component)
    return component
  }

  /// The properties that only one component can have.
  private struct Claim: Hashable {
    let component: ComponentDescription
    let version: UInt32
  }
}
