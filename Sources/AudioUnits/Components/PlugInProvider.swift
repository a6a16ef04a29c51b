import AsyncSupport
import UnitModel

/// LV2 and LADSPA plug-ins. None of their code runs in this program, nor do their texts pass through it
/// before a child process has read them: both can be faulty.
final class PlugInProvider: ComponentProvider {
  let name = "plug-ins"
  private let folders: PlugInFolders
  private let cacheFile: String
  private let state = Guarded(State())

  private struct State: Sendable {
    /// By name: `lv2:URI`.
    var records: [String: PlugInRecord] = [:]
    /// Whether `records` are all that there are.
    var isWhole = false
    var hasReadCache = false
  }

  /// What an earlier run has found in these folders.
  private struct Cache: Codable {
    var format: String
    var stamp: [String: FileStamp]
    var records: [PlugInRecord]
  }

  /// Its number rises with the content of the file, and with what plug-ins are as units.
  private static let format = "1"

  init(folders: PlugInFolders, cacheFolder: String) {
    (self.folders, cacheFile) = (folders, "\(cacheFolder)/plug-ins.json")
  }

  func inventory(for reference: UnitReference?) -> ComponentInventory {
    guard !folders.all.isEmpty else { return ComponentInventory() }
    let records = state.withLock { state in
      readCache(&state)
      if !state.isWhole { scan(&state) }
      return state.records.values.sorted { $0.name < $1.name }
    }
    var inventory = ComponentInventory()
    for record in records {
      if let component = component(of: record) {
        inventory.components.append(component)
      } else {
        inventory.refused.append(
          RefusedBundle(
            bundle: UnitBundle(path: record.bundle ?? record.name),
            reasons: [UnitRefusal("\(record.name): \(record.problem ?? "")")],
            component: ComponentDescription(record.name), name: record.name))
      }
    }
    return inventory
  }

  /// Reads this plug-in alone where the others are not known.
  func component(identifiedBy reference: UnitReference) throws(UnitRefusal) -> Component? {
    guard case .component(let wanted) = reference.subject, let name = wanted.plugIn,
      !folders.all.isEmpty
    else { return nil }
    let record = state.withLock { state in
      readCache(&state)
      if state.records[name] == nil, !state.isWhole {
        state.records[name] = PlugInScanner(folders).records(of: [name]).first
      }
      return state.records[name]
    }
    guard let record else { return nil }
    if let component = component(of: record) { return component }
    throw UnitRefusal(record.problem ?? "it cannot be used")
  }

  var knownFacts: [UnitFacts] {
    state.withLock { state in
      readCache(&state)
      return state.records.values.compactMap(\.facts)
    }
  }

  func scan() async { _ = inventory(for: nil) }

  private func component(of record: PlugInRecord) -> Component? {
    record.facts.map {
      Component(
        plugIn: $0, readablePaths: (record.bundle.map { [$0] } ?? []) + folders.readablePaths)
    }
  }

  private func readCache(_ state: inout State) {
    guard !state.hasReadCache, !folders.all.isEmpty else { return }
    state.hasReadCache = true
    guard let cache: Cache = CacheFile.read(cacheFile), cache.format == Self.format,
      cache.stamp == folders.stamp
    else { return }
    state.records = Dictionary(cache.records.map { ($0.name, $0) }) { first, _ in first }
    state.isWhole = true
  }

  private func scan(_ state: inout State) {
    // Without the program that reads them nothing is known, and nothing is to be remembered.
    guard (try? HelperPrograms.path("backline-validator")) != nil else { return }
    let stamp = folders.stamp
    let records = PlugInScanner(folders).records(of: [])
    state.records = Dictionary(records.map { ($0.name, $0) }) { first, _ in first }
    state.isWhole = true
    try? CacheFile.write(
      Cache(format: Self.format, stamp: stamp, records: records), to: cacheFile)
  }
}
