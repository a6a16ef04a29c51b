/// A reference to a unit: `aufx/ring/bkln` or `Ring Modulator`, both also with a version
/// (`aufx/ring/bkln@1.0.0`), the path of a bundle (`./Ring.unit`) or of a rack file (`./lead.yaml`), or a
/// plug-in (`lv2:URI`).
public struct UnitReference: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    case component(ComponentDescription)
    case name(String)
    case bundle(path: String)
  }

  public var subject: Subject
  /// The version; nil means the highest.
  public var version: UInt32?

  public init(_ subject: Subject, version: UInt32? = nil) {
    self.subject = subject
    self.version = version
  }

  /// Parses a reference; anything but a description or a bundle's path is a name.
  public init(_ text: String) {
    if let plugIn = ComponentDescription(text), plugIn.plugIn != nil {
      self.init(.component(plugIn))
      return
    }
    if text.hasSuffix(".unit") || text.hasSuffix(".unit/") {
      self.init(.bundle(path: text))
      return
    }
    if text.hasSuffix(".yaml") {
      self.init(.component(ComponentDescription(rackFile: text)))
      return
    }
    var subject = text[...]
    var version: UInt32?
    if let at = text.lastIndex(of: "@"),
      let number = UnitFacts.version(written: String(text[text.index(after: at)...]))
    {
      (subject, version) = (text[..<at], number)
    }
    if let description = ComponentDescription(subject) {
      self.init(.component(description), version: version)
    } else {
      self.init(.name(String(subject)), version: version)
    }
  }

  /// The path of the referenced bundle or rack file; nil for other references.
  package var path: String? {
    get {
      switch subject {
      case .bundle(let path): path
      case .component(let component): component.rackFile
      case .name: nil
      }
    }
    set {
      guard let newValue else { return }
      if case .bundle = subject {
        subject = .bundle(path: newValue)
      } else {
        subject = .component(ComponentDescription(rackFile: newValue))
      }
    }
  }

  /// Whether the reference contains a wildcard.
  package var hasWildcard: Bool {
    if case .component(let description) = subject { return description.hasWildcard }
    return false
  }

  /// Whether the reference matches this unit, in any version.
  public func names(_ component: ComponentDescription, called name: String) -> Bool {
    switch subject {
    case .component(let description): description.matches(component)
    case .name(let wanted): wanted == name
    case .bundle: false
    }
  }

  /// Returns the matching candidates: of each component the requested version, or the highest.
  public func choose(from candidates: [UnitFacts]) -> [UnitFacts] {
    candidates.filter { names($0.component, called: $0.name) }
      .inVersion(version, of: \.component, version: \.version)
  }
}

extension UnitReference: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}

extension UnitReference: CustomStringConvertible {
  public var description: String {
    let suffix = version.map { "@\(UnitFacts.written(version: $0))" } ?? ""
    switch subject {
    case .component(let description): return "\(description)\(suffix)"
    case .name(let name): return "\(name)\(suffix)"
    case .bundle(let path): return path
    }
  }
}

extension Array {
  /// Returns, of each component, only the element of that version (nil: the highest).
  package func inVersion(
    _ wanted: UInt32?, of component: (Element) -> ComponentDescription,
    version: (Element) -> UInt32
  ) -> [Element] {
    var best: [ComponentDescription: UInt32] = [:]
    for element in self {
      best[component(element)] = Swift.max(best[component(element)] ?? 0, version(element))
    }
    return filter { version($0) == (wanted ?? best[component($0)]) }
  }
}
