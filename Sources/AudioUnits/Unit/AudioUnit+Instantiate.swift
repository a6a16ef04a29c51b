import Documents
import UnitModel

/// How a unit is to be loaded.
public struct InstantiationOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Into this process; so is every unit, wished or not.
  public static let loadInProcess = InstantiationOptions(rawValue: 1 << 0)
}

extension AudioUnit {
  /// Finds a unit and makes an instance of it, on a thread of its own: the caller never waits for a
  /// library to be loaded.
  ///
  /// - Throws: `AudioUnitError`: there is no such unit (with the nearest), several fit the wildcards,
  ///   or what is wrong with its library.
  public static func instantiate(
    _ description: ComponentDescription, options: InstantiationOptions = [],
    catalogue: ComponentCatalogue
  ) async throws -> AudioUnit {
    try await Task.detached {
      let found = catalogue.components(matching: description)
      guard let component = found.first else {
        let known = catalogue.facts.map { "\($0.component)" }
        let nearest = nearestWord(to: "\(description)", in: known)
        throw AudioUnitError(
          unit: "\(description)",
          reason: "there is no such unit" + (nearest.map { "; did you mean \($0)?" } ?? ""))
      }
      let names = Set(found.map { "\($0.facts.component)" }).sorted()
      guard names.count == 1 else {
        throw AudioUnitError(
          unit: "\(description)",
          reason: "\(names.count) units fit: \(names.joined(separator: ", ")); name one of them")
      }
      return try AudioUnit(component)
    }.value
  }
}
