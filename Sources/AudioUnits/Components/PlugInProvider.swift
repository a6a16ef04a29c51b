import AsyncSupport
import UnitModel

/// LV2 and LADSPA plug-ins. Neither code nor texts of theirs enter this program before a child process
/// has read them: both can be faulty.
final class PlugInProvider: ComponentProvider {
  let name = "plug-ins"
  private let folders: PlugInFolders
  private let cacheFile: String
  private let validations: ValidationRecords
  private let state = Guarded(State())

  private struct State: Sendable {
    var cache = PlugInCache()
    var hasRead = false
  }

  init(folders: PlugInFolders, cacheFolder: String) {
    (self.folders, cacheFile) = (folders, "\(cacheFolder)/plug-ins")
    validations = ValidationRecords(cacheFolder: cacheFolder)
  }

  var isAskedLast: Bool { true }

  func inventory(for reference: UnitReference?) -> ComponentInventory {
    guard !folders.all.isEmpty else { return ComponentInventory() }
    let records = withCache { cache in
      if !cache.isComplete { scan(&cache) }
      return cache.names.compactMap { cache[$0] }
    }
    var inventory = ComponentInventory()
    for record in records {
      if let component = component(of: record) {
        inventory.components.append(component)
      } else {
        inventory.refused.append(
          RefusedBundle(
            bundle: UnitBundle(path: record.folder ?? record.name),
            reasons: [UnitRefusal(record.problem ?? "it cannot be used")],
            component: ComponentDescription(record.name), name: record.name))
      }
    }
    return inventory
  }

  /// Reads this plug-in alone if the others are not known yet.
  func component(identifiedBy reference: UnitReference) throws(UnitRefusal) -> Component? {
    guard case .component(let wanted) = reference.subject, let name = wanted.plugIn,
      !folders.all.isEmpty
    else { return nil }
    let record = withCache { cache in
      if cache[name] == nil, !cache.isComplete {
        cache[name] = PlugInScanner(folders).records(of: [name]).first
        // Scan all, to suggest the nearest name of a missing plug-in.
        if cache[name]?.facts == nil { scan(&cache) }
      }
      return cache[name]
    }
    guard let record else { return nil }
    if let component = component(of: record) { return component }
    throw UnitRefusal(record.problem ?? "it cannot be used")
  }

  var knownFacts: [UnitFacts] {
    withCache { cache in cache.names.compactMap { cache[$0]?.facts } }
  }

  func scan() async { _ = inventory(for: nil) }

  private func component(of record: PlugInRecord) -> Component? {
    record.facts.map { facts in
      func make(maySplit: Bool) -> Component {
        Component(
          plugIn: facts, folder: record.folder, library: record.library, folders: folders,
          maySplit: maySplit)
      }
      let component = make(maySplit: false)
      return validations.isIndifferentToBlocks(component) ? make(maySplit: true) : component
    }
  }

  private func withCache<Result: Sendable>(_ body: (inout PlugInCache) -> Result) -> Result {
    state.withLock { state in
      if !state.hasRead, !folders.all.isEmpty { state.cache.load(cacheFile, for: folders) }
      state.hasRead = true
      return body(&state.cache)
    }
  }

  private func scan(_ cache: inout PlugInCache) {
    // Without the program that reads plug-ins nothing is known, and nothing is to be cached.
    guard (try? HelperPrograms.path("backline-validator")) != nil else { return }
    cache.store(PlugInScanner(folders).records(of: []), in: cacheFile, for: folders)
  }
}
