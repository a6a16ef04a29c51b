import Documents
import FoundationEssentials
import UnitModel

/// The result of `backline validate` for a unit.
public enum ValidationState: String, Sendable, Codable {
  /// Not validated, or changed since.
  case unknown
  case passed, failed
}

/// Where the results of validations are kept: in the cache, by bundle, for the version and the files
/// that were validated. A unit that comes with Backline is kept by its codes, for this program.
public struct ValidationRecords: Sendable {
  private let folder: String

  private struct Record: Codable {
    var unit: String
    var version: UInt32
    var stamps: [FileStamp]
    var state: ValidationState
  }

  /// In the user's cache folder, unless told otherwise.
  public init(cacheFolder: String? = nil) {
    folder = "\(cacheFolder ?? UserFolders.cache)/validation"
  }

  public func state(of component: Component) -> ValidationState {
    guard let bytes = try? WholeFile.read(place(of: component), limit: 1 << 16),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)),
      record.unit == key(of: component), record.version == component.version,
      record.stamps == stamps(of: component)
    else { return .unknown }
    return record.state
  }

  /// Stores the result of a validation.
  ///
  /// - Throws: `FileError`
  public func note(_ state: ValidationState, of component: Component) throws {
    let record = Record(
      unit: key(of: component), version: component.version, stamps: stamps(of: component),
      state: state)
    try Folder.make(folder)
    try WholeFile.write(
      try JSONEncoder().encode(record), to: place(of: component), durably: false)
  }

  private func key(of component: Component) -> String {
    component.bundle?.path ?? "\(component.component)"
  }

  private func place(of component: Component) -> String {
    "\(folder)/\(key(of: component).fileNameHash).json"
  }

  private func stamps(of component: Component) -> [FileStamp] {
    let files = component.bundle.map { [$0.manifestPath, $0.libraryPath] } ?? ["/proc/self/exe"]
    return files.compactMap(FileStamp.init)
  }
}

extension Component {
  /// The result of the last `backline validate`.
  public var validation: ValidationState { ValidationRecords().state(of: self) }
}
