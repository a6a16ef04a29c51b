import ArgumentParser
import AudioUnits
import Documents
import UnitModel

/// Lookup of units by their names on the command line.
enum UnitLookup {
  /// Returns the units of a component description, with wildcards, of a name, ignoring case, or of a bundle's path;
  /// "." in a bundle's folder is that bundle.
  ///
  /// - Throws: `Failure` if the name is invalid or the bundle cannot be used.
  static func units(named text: String, in catalogue: ComponentCatalogue) throws -> [UnitFacts] {
    try components(named: text, in: catalogue).map(\.facts)
  }

  /// Returns the same units as components, which know their bundles.
  static func components(
    named text: String, in catalogue: ComponentCatalogue
  ) throws -> [Component] {
    let reference = reference(text)
    do {
      let found = try catalogue.components(for: reference)
      guard found.isEmpty, case .name(let name) = reference.subject else { return found }
      return catalogue.components.filter { $0.name.lowercased() == name.lowercased() }
        .inVersion(reference.version, of: \.component, version: \.version)
    } catch {
      throw Failure("“\(text)” cannot be used: \(error)", code: .wrongRack)
    }
  }

  /// Returns the only matching unit.
  ///
  /// - Throws: `Failure` with the candidates if there are several, or with the nearest name if there is none.
  static func unit(named text: String, in catalogue: ComponentCatalogue) throws -> UnitFacts {
    let found = try units(named: text, in: catalogue)
    if let facts = found.first, found.count == 1 { return facts }
    guard found.isEmpty else {
      throw Failure(
        "“\(text)” matches several units: \(found.map { "\($0.component)" }.joined(separator: ", "))",
        code: .usage)
    }
    throw Failure(WrongWord.asUnit(text, catalogue: catalogue), code: .wrongRack)
  }

  /// Checks the preset of the command line.
  ///
  /// - Throws: `Failure` if the unit has no such preset.
  static func check(preset: String?, of facts: UnitFacts) throws {
    guard let preset else { return }
    do { _ = try PresetLibrary.standard.entry(named: preset, of: facts) } catch {
      throw Failure("\(error)", code: .wrongRack)
    }
  }

  private static func reference(_ text: String) -> UnitReference {
    let reference = UnitReference(text)
    guard case .name = reference.subject,
      text.split(separator: "/").last?.allSatisfy({ $0 == "." }) == true
    else { return reference }
    let path = FilePath.absolute(text)
    return path.hasSuffix(UnitBundle.suffix) ? UnitReference(.bundle(path: path)) : reference
  }

  /// Returns the reference by which a rack file in any folder names the unit that is `text` on the command line.
  static func reference(to facts: UnitFacts, named text: String) -> UnitReference {
    var reference = reference(text)
    switch reference.subject {
    case .bundle(let path): reference.subject = .bundle(path: FilePath.absolute(path))
    case .component, .name: reference.subject = .component(facts.component)
    }
    return reference
  }
}
