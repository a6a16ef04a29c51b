import UnitModel

/// A file of a unit, as commands name it: `amp`, or the property `cab.b`.
package struct UnitFilePath {
  package var unit: String
  /// The property's identifier; empty where the unit has one file.
  package var property: String

  package init(_ text: String) {
    unit = String(text.unitName)
    property = String(text.dropFirst(unit.count + 1))
  }
}

extension UnitFacts {
  /// Returns the file properties with this name; all file properties for an empty name.
  package func files(named name: String) -> [PropertyInfo] {
    properties.filter {
      $0.kind == .path && (name.isEmpty || $0.identifier == name)
    }
  }
}
