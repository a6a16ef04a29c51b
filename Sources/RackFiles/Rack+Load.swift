import AudioUnits
import Documents
import RackEngine
import RackModel

extension Rack {
  /// Reads and checks a rack file.
  ///
  /// - Parameter name: a path, or the name of a rack that comes with Backline: `tape-echo`.
  /// - Throws: `RackError` with every error in the file, a line each, with file, line and column.
  public static func load(
    _ name: String, catalogue: ComponentCatalogue = .shared
  ) throws(RackError) -> CheckedRack {
    try checked(RackLoader.load(name, catalogue: catalogue))
  }

  /// Checks a rack that was made in Swift; paths are relative to the working folder.
  ///
  /// - Throws: `RackError` with every error, a line each.
  public func checked(catalogue: ComponentCatalogue = .shared) throws(RackError) -> CheckedRack {
    let folder = FilePath.absolute(".")
    return try Self.checked(RackLoader.checker(folder, catalogue: catalogue).check(self))
  }

  private static func checked(
    _ result: (rack: CheckedRack?, diagnostics: [Diagnostic])
  ) throws(RackError) -> CheckedRack {
    guard let rack = result.rack else {
      let errors = result.diagnostics.filter { $0.severity == .error }
      throw RackError(errors.map(\.description).joined(separator: "\n"))
    }
    return rack
  }
}
