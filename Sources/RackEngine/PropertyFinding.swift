import AudioUnits
import Documents
import RackModel

/// A unit's problem with a planned property, such as a file that it cannot read.
struct PropertyFinding: Sendable, Equatable {
  /// The unit's name in the rack.
  var unit: String
  var property: PlannedProperty
  /// A sentence in lower case, without a full stop.
  var reason: String
  /// Whether the unit has refused the value; otherwise it has left out a part of it.
  var isRefused: Bool

  /// Returns the finding as a diagnostic of the rack file, with `consequence` after the reason.
  func diagnostic(_ severity: Diagnostic.Severity, _ consequence: String = "") -> Diagnostic {
    Diagnostic(
      severity: severity, file: property.origin?.file ?? "unit \(unit)",
      position: property.origin?.position ?? .nowhere, message: reason + consequence)
  }

  /// The warning for the musician, who hears the rest.
  var warning: Diagnostic {
    diagnostic(.warning, isRefused ? "; “\(unit)” plays without it" : "")
  }

  /// The text of a `RackError`, with the property's position in the rack file if there is one.
  var text: String {
    property.origin == nil ? "unit \(unit): \(reason)" : diagnostic(.error).description
  }
}

extension [PropertyFinding] {
  var refusals: [PropertyFinding] { filter(\.isRefused) }
}

extension AudioUnit {
  /// Sets the planned properties; returns those that the unit refuses or reads only in part.
  func setProperties(of planned: PlannedUnit) -> [PropertyFinding] {
    planned.properties.flatMap { property -> [PropertyFinding] in
      func finding(_ reason: String, isRefused: Bool) -> PropertyFinding {
        PropertyFinding(
          unit: planned.name, property: property, reason: reason, isRefused: isRefused)
      }
      let known = propertyWarnings
      do throws(AudioUnitError) {
        try setProperty(at: property.index, to: property.value)
        return propertyWarnings.filter { !known.contains($0) }
          .map { finding($0, isRefused: false) }
      } catch {
        return [finding(error.reason, isRefused: true)]
      }
    }
  }
}

extension Plan {
  /// The absolute paths of the files that the plan's units read.
  package var files: [String] { units.flatMap(\.files) }

  /// Opens every file that the plan names with the unit that plays it. Returns an error for each file that cannot
  /// be played or whose own files, such as samples, are missing, and a warning for each that is played in part.
  ///
  /// May take as long as loading the rack.
  package func fileFindings(in catalogue: ComponentCatalogue) -> [Diagnostic] {
    units.flatMap { planned -> [Diagnostic] in
      guard !planned.properties.isEmpty else { return [] }
      do {
        let unit = try AudioUnit(
          try RackUnit.component(of: planned, in: catalogue), process: planned.process)
        let findings = unit.setProperties(of: planned)
        let isComplete = unit.filesRead.allSatisfy { FileStamp($0) != nil }
        return findings.map { $0.diagnostic($0.isRefused || !isComplete ? .error : .warning) }
      } catch {
        return [
          Diagnostic(file: "unit \(planned.name)", position: .nowhere, message: "\(error)")
        ]
      }
    }
  }
}
