/// A remark about a restored state; remarks are not errors.
public enum StateRemark: Sendable, Hashable, CustomStringConvertible {
  /// A parameter that the unit does not have; it is kept in `fullState`.
  case unknownParameter(String)
  case unknownProperty(String)
  /// The state was written by this version, which is newer than the unit.
  case newerVersion(String)
  /// A file that was found elsewhere than at the state's path.
  case found(property: String, at: String)
  /// A file that was not found, or that the unit refused.
  case notRestored(property: String, reason: String)

  public var description: String {
    switch self {
    case .unknownParameter(let keyPath): "there is no parameter “\(keyPath)”; it is kept"
    case .unknownProperty(let identifier): "there is no property “\(identifier)”; it is kept"
    case .newerVersion(let version): "the state is of version \(version), which is newer"
    case .found(let property, let path): "“\(property)” was found at \(path)"
    case .notRestored(let property, let reason): "“\(property)” is as before: \(reason)"
    }
  }
}
