import Documents
import UnitModel

/// A unit of a rack that was not found. The signal bypasses it meanwhile.
public struct MissingUnit: Sendable, Equatable, Codable {
  /// The unit's name in the rack.
  public var name: String
  /// The unit as the rack file names it: `aufx/fuzz/acme`.
  public var unit: String
  /// The reason why the unit was not found, as a sentence.
  public var reason: String
  /// The absolute path of the bundle that the rack file names; nil if it names none.
  public var bundle: String?

  /// Whether a component of a name is the missing unit.
  public func isMet(by component: ComponentDescription, called name: String) -> Bool {
    UnitReference(unit).names(component, called: name)
  }
}

extension Rack {
  /// Returns the units that the catalogue lacks and that may be missing, with a warning for each.
  func missingUnits(_ checker: RackChecker) -> [(unit: MissingUnit, finding: Diagnostic)] {
    let resolver = UnitResolver(
      checker: checker, diagnostics: DiagnosticCollector(file: file))
    return units.compactMap { entry in
      guard let wanted = entry.unit, checker.mayMiss(wanted.value),
        var finding = resolver.absence(of: wanted)
      else { return nil }
      var missing = MissingUnit(
        name: entry.name.value, unit: wanted.value, reason: finding.message)
      if case .bundle(let path) = resolver.reference(wanted.value).subject {
        missing.bundle = path
      }
      finding.severity = .warning
      finding.message += "; “\(missing.name)” passes its input through until the unit is there"
      return (missing, finding)
    }
  }

  /// Returns the rack without these units. The sources of each unit in `closing` are connected to its
  /// destinations.
  func without(
    _ missing: [MissingUnit], closing: Set<String>, _ checker: RackChecker
  ) -> Rack {
    var rack = self
    for unit in missing {
      rack.sumInputs(of: unit.name)
      CableEditor(rack, checker: checker)
        .remove(unit.name, in: &rack, isClosed: closing.contains(unit.name))
      rack.removeTargets(of: unit.name, checker.targets)
      rack.removeModulations(by: unit.name)
      rack.units.removeAll { $0.name.value == unit.name }
    }
    return rack
  }
}

extension Rack {
  /// Turns cables into the numbered inputs of a unit, such as a mixer, into cables into the unit.
  fileprivate mutating func sumInputs(of name: String) {
    for chain in connections.indices {
      for end in connections[chain].endpoints.indices {
        let bus = connections[chain].endpoints[end].value.dropFirst(name.count + 1)
        if connections[chain].endpoints[end].value.chainUnitName == name, Int(bus) != nil {
          connections[chain].endpoints[end].value = name
        }
      }
    }
  }
}

extension RackChecker {
  /// Returns the plan without the missing units; nil where none is missing. Sound bypasses the missing
  /// units where it can: MIDI into a synth does not continue as sound.
  func checkWithoutMissing(
    _ rack: Rack, isComplete: Bool
  ) -> (plan: Plan?, findings: [Diagnostic])? {
    let found = rack.missingUnits(self)
    guard !found.isEmpty else { return nil }
    let missing = found.map(\.unit)
    func check(_ closing: Set<String>) -> (Plan?, [Diagnostic]) {
      checkAll(rack.without(missing, closing: closing, self), isComplete: isComplete)
    }
    let names = Set(missing.map(\.name))
    var result = check(names)
    if result.0 == nil {
      let passing = names.filter { check([$0]).0 != nil }
      result = check(passing)
      if result.0 == nil { result = check([]) }
    }
    result.0?.missing = missing
    return (result.0, (found.map(\.finding) + result.1).inOrder())
  }
}
