import AudioUnits
import Dispatch
import RackModel
import UnitModel

/// A unit that can be added to a rack.
public struct CatalogueEntry: Sendable, Codable {
  /// `aufx/dely/bkln`
  public var unit: String
  /// `Delay`
  public var name: String
  public var manufacturer: String
  /// One line: what it does to the sound.
  public var summary: String
  public var tags: [String]
  /// Its own, those that come with Backline, and the user's.
  public var presets: [String]
  /// Those of them that the user has saved, and can delete.
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

  /// The units that can be added, in order of name; read beside the session, as the disk may be slow.
  public nonisolated func catalogue() async -> [CatalogueEntry] {
    await Self.reading.answer { [catalogue = engine.catalogue] in
      let library = PresetLibrary.standard
      return catalogue.components.map { CatalogueEntry($0, library) }
    }
  }
}
