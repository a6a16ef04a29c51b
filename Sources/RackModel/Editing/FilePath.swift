import UnitModel

/// A file of a unit, as commands name it: `amp`, or its property `cab.b`.
package struct FilePath {
  package var unit: String
  /// Empty where the unit has one file.
  package var property: String

  package init(_ text: String) {
    unit = String(text.unitName)
    property = String(text.dropFirst(unit.count + 1))
  }
}

extension UnitFacts {
  /// The properties of that name which are files to choose from; with an empty name all of them.
  package func files(named name: String) -> [PropertyInfo] {
    properties.filter {
      $0.kind == .path && (name.isEmpty || $0.identifier == name)
    }
  }
}
