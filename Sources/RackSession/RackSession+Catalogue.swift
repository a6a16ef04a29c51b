import AudioUnits
import Dispatch
import RackModel
import UnitModel

/// A unit that can be added to a rack.
public struct CatalogueEntry: Sendable, Codable {
  /// The component of the unit: `aufx/dely/bkln`.
  public var unit: String
  /// The name of the component: `Delay`.
  public var name: String
  public var manufacturer: String
  /// The effect of the unit on the sound, in one line.
  public var summary: String
  public var tags: [String]
  /// The names of all presets: the unit's own, those that come with Backline, and the user's.
  public var presets: [String]
  /// The names of the presets that the user has saved and can delete.
  public var userPresets: [String]

  init(_ component: Component, _ library: PresetLibrary) {
    unit = "\(component.component)"
    (name, manufacturer) = (component.name, component.manufacturerName)
    (summary, tags) = (component.facts.summary, component.tags)
    let all = library.presets(of: component.facts).entries.map(\.preset)
    (presets, userPresets) = (all.map(\.name), all.filter(\.isUserPreset).map(\.name))
  }
}

extension RackSession {
  private static let reading = DispatchQueue(label: "backline.catalogue")

  /// Returns the units that can be added, in order of name.
  ///
  /// Reads presets on a queue of its own, as the disk may be slow.
  public nonisolated func catalogue() async -> [CatalogueEntry] {
    await Self.reading.answer { [catalogue = engine.catalogue] in
      let library = PresetLibrary.standard
      return catalogue.components.map { CatalogueEntry($0, library) }
    }
  }
}
