import AudioUnits
import Documents
import RackModel

extension Plan {
  /// Reads a rack file and checks it against the catalogue.
  ///
  /// - Parameter library: the presets that the rack can name.
  /// - Throws: `RackError` with every error in the file, a line each, with file, line and column.
  public static func load(
    _ path: String, catalogue: ComponentCatalogue = .shared,
    presets library: PresetLibrary = .standard
  ) throws(RackError) -> Plan {
    let file = FilePlace.absolute(path)
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.read(file, limit: RackFileParser.maximumSize)
    } catch {
      throw RackError(error.description)
    }
    let checker = RackChecker(
      catalogue: catalogue, folder: String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]),
      presets: { library.presets(of: $0).entries.map(\.state) }, fileExists: WholeFile.isThere)
    let (plan, diagnostics) = checker.check(bytes, file: file)
    let errors = diagnostics.filter { $0.severity == .error }
    guard let plan, errors.isEmpty else {
      throw RackError(errors.map(\.description).joined(separator: "\n"))
    }
    return plan
  }
}
