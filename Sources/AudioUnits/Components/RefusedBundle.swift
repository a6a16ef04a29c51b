import UnitModel

/// A bundle that is there and cannot be used.
public struct RefusedBundle: Sendable, Hashable {
  public var bundle: UnitBundle
  /// What is wrong, a line each, naming the file.
  public var problems: [String]
  /// What its manifest says it is, where that can be read.
  public var component: ComponentDescription?
  public var name: String?
}

extension RefusedBundle {
  init(_ bundle: UnitBundle, _ record: BundleRecord) {
    self.init(
      bundle: bundle, problems: record.problems, component: record.component, name: record.name)
  }
}

/// What has become of a bundle.
public enum ComponentChange: Sendable {
  case appeared(Component)
  /// Its manifest or its library is another.
  case changed(Component)
  case vanished(UnitBundle)
  /// It cannot be used, or no more, or is wrong in another way than before.
  case refused(RefusedBundle)
}
