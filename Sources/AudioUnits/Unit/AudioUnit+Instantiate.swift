import AsyncSupport
import Dispatch
import Documents
import UnitModel

/// The process that a unit is loaded into.
public struct InstantiationOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Loads the unit into this process, which its bundle must allow.
  public static let loadInProcess = InstantiationOptions(rawValue: 1 << 0)
  /// Loads the unit into a process of its own.
  public static let loadOutOfProcess = InstantiationOptions(rawValue: 1 << 1)

  var process: ProcessChoice? {
    contains(.loadOutOfProcess) ? .own : contains(.loadInProcess) ? .host : nil
  }
}

extension AudioUnit {
  /// Finds a unit and instantiates it on another thread, so that the caller is not blocked while a
  /// library is loaded.
  ///
  /// - Parameter version: the version; nil for the highest.
  /// - Throws: `AudioUnitError`: there is no such unit (with the nearest name), several match the
  ///   wildcards, or its bundle cannot be used.
  public static func instantiate(
    _ description: ComponentDescription, version: UInt32? = nil,
    options: InstantiationOptions = [], catalogue: ComponentCatalogue = .shared
  ) async throws(AudioUnitError) -> AudioUnit {
    try await instantiate(
      UnitReference(.component(description), version: version), options: options,
      catalogue: catalogue)
  }

  /// Instantiates a unit by a reference: `UnitReference("Delay")`, `UnitReference("./Ring.unit")`.
  public static func instantiate(
    _ reference: UnitReference, options: InstantiationOptions = [],
    catalogue: ComponentCatalogue = .shared
  ) async throws(AudioUnitError) -> AudioUnit {
    try await DispatchQueue.global(qos: .userInitiated).answer { () throws(AudioUnitError) in
      try AudioUnit(find(reference, in: catalogue), process: options.process)
    }
  }

  private static func find(
    _ reference: UnitReference, in catalogue: ComponentCatalogue
  ) throws(AudioUnitError) -> Component {
    let name = "\(reference)"
    let found: [Component]
    do {
      found = try catalogue.components(for: reference)
    } catch {
      throw AudioUnitError(unit: name, reason: "\(error)")
    }
    guard let component = found.first else {
      let known = catalogue.knownFacts.flatMap { ["\($0.component)", $0.name] }
      let nearest = nearestWord(to: name, in: known)
      throw AudioUnitError(
        unit: name,
        reason: "there is no such unit" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
    guard found.count == 1 else {
      let names = found.map { "\($0.component)" }.sorted().joined(separator: ", ")
      throw AudioUnitError(
        unit: name, reason: "\(found.count) units fit: \(names); name one of them")
    }
    return component
  }
}
