import ArgumentParser
import AudioUnits
import Documents
import UnitModel

/// Finds units by their names on the command line.
enum UnitLookup {
  /// By description, with wildcards, by name, whatever the case, or by a bundle's path; "." in a
  /// bundle's folder is that bundle.
  static func units(named text: String, in catalogue: ComponentCatalogue) throws -> [UnitFacts] {
    try components(named: text, in: catalogue).map(\.facts)
  }

  /// The same as components, which know the bundle.
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

  /// The only matching unit; otherwise prints an error with the candidates.
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

  /// - Throws: `Failure` where the command line names a preset that the unit does not have.
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
    let path = FilePlace.absolute(text)
    return path.hasSuffix(UnitBundle.suffix) ? UnitReference(.bundle(path: path)) : reference
  }

  /// How a rack file anywhere names a unit that goes by `text` here.
  static func reference(to facts: UnitFacts, named text: String) -> UnitReference {
    var reference = reference(text)
    switch reference.subject {
    case .bundle(let path): reference.subject = .bundle(path: FilePlace.absolute(path))
    case .component, .name: reference.subject = .component(facts.component)
    }
    return reference
  }
}
