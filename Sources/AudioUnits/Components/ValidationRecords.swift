import Documents
import UnitModel

/// The result of `backline validate` for a unit.
public enum ValidationState: String, Sendable, Codable {
  /// The unit has not been validated, or has changed since.
  case unknown
  case passed, failed
}

/// The cached results of validations: by bundle, for the version and the files that were validated;
/// by codes for a unit that comes with Backline, for this program.
package struct ValidationRecords: Sendable {
  private let folder: String

  private struct Record: Codable {
    var unit: String
    var version: UInt32
    var stamps: [FileStamp]
    var state: ValidationState
    /// Whether the output is the same in blocks of any size.
    var isIndifferentToBlocks: Bool?
  }

  /// - Parameter cacheFolder: the cache folder; nil for the user's.
  package init(cacheFolder: String? = nil) {
    folder = "\(cacheFolder ?? UserFolders.cache)/validation"
  }

  package func state(of component: Component) -> ValidationState {
    record(of: component)?.state ?? .unknown
  }

  /// Whether a validation found that the unit's output is the same in blocks of any size.
  func isIndifferentToBlocks(_ component: Component) -> Bool {
    record(of: component)?.isIndifferentToBlocks ?? false
  }

  private func record(of component: Component) -> Record? {
    guard let record: Record = CacheFile.read(path(of: component)),
      record.unit == key(of: component), record.version == component.version,
      record.stamps == stamps(of: component)
    else { return nil }
    return record
  }

  /// Stores the result of a validation.
  ///
  /// - Throws: `FileError`
  package func record(
    _ state: ValidationState, isIndifferentToBlocks: Bool = false, of component: Component
  ) throws {
    let record = Record(
      unit: key(of: component), version: component.version, stamps: stamps(of: component),
      state: state, isIndifferentToBlocks: isIndifferentToBlocks)
    try CacheFile.write(record, to: path(of: component))
  }

  private func key(of component: Component) -> String {
    component.bundle?.path ?? "\(component.component)"
  }

  private func path(of component: Component) -> String {
    "\(folder)/\(CacheFile.name(for: key(of: component)))"
  }

  private func stamps(of component: Component) -> [FileStamp] {
    let files =
      component.bundle.map { [$0.manifestPath, $0.libraryPath] }
      ?? [component.plugInLibrary ?? "/proc/self/exe"]
    return files.compactMap(FileStamp.init)
  }
}

extension Component {
  /// The result of the last `backline validate`.
  public var validation: ValidationState { ValidationRecords().state(of: self) }
}
