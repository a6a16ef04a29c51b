import CUnit
import CUnits
import UnitModel

/// Every unit that this program can play.
public struct ComponentCatalogue: Sendable {
  /// In order of name.
  public private(set) var components: [Component]

  /// The units that come with Backline.
  public init() {
    components = Self.components(of: bl_built_in_units().pointee)
  }

  /// Adds the units of a shared library; the library's newer version of a unit takes the place of an
  /// older one.
  ///
  /// - Throws: `UnitLibraryError`, with the catalogue as it was.
  public mutating func add(libraryAt path: String) throws {
    for component in Self.components(of: try UnitLibrary.load(path)) {
      let place = components.firstIndex { $0.facts.component == component.facts.component }
      if let place, components[place].facts.version <= component.facts.version {
        components[place] = component
      } else if place == nil {
        components.append(component)
      }
    }
    components.sort { $0.facts.name < $1.facts.name }
  }

  /// What is known of every unit, in order of name.
  public var facts: [UnitFacts] { components.map(\.facts) }

  /// The units that a description stands for; its wildcards fit any code.
  public func components(matching description: ComponentDescription) -> [Component] {
    components.filter { description.matches($0.facts.component) }
  }

  private static func components(of library: bl_unit_library) -> [Component] {
    (0..<Int(library.unit_count)).compactMap { library.units[$0].map(Component.init) }
      .sorted { $0.facts.name < $1.facts.name }
  }
}
