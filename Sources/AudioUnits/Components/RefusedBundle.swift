import UnitModel

/// A bundle that exists and cannot be used.
public struct RefusedBundle: Sendable, Hashable {
  public var bundle: UnitBundle
  package var reasons: [UnitRefusal]
  /// The reasons, one per line, with the file.
  public var problems: [String] {
    reasons.map { reason in reason.place.map { "\($0): error: \(reason.reason)" } ?? reason.reason }
  }
  /// The manifest's component description, if it can be read.
  public var component: ComponentDescription?
  public var name: String?
}

extension RefusedBundle {
  init(_ bundle: UnitBundle, _ record: BundleRecord) {
    self.init(
      bundle: bundle, reasons: record.problems, component: record.component, name: record.name)
  }
}

/// A change in a catalogue.
public enum ComponentChange: Sendable {
  case appeared(Component)
  /// The bundle's manifest or library has changed.
  case changed(Component)
  /// The user's tags of the unit have changed.
  case tagged(Component)
  case vanished(UnitBundle)
  /// The bundle cannot be used, either newly or for a new reason.
  case refused(RefusedBundle)
}
