import Documents

/// Identifies a unit by type, subtype and manufacturer, `aufx/ring/bkln`; a plug-in of another format by its
/// own name, `lv2:URI` or `ladspa:LIBRARY/LABEL`; a rack file by its path, `rack:PATH`.
public struct ComponentDescription: Sendable {
  /// The type: `.effect`, `.instrument`, `.generator`, `.mixer` …
  public var type: FourCharacterCode
  public var subtype: FourCharacterCode
  public var manufacturer: FourCharacterCode
  /// The plug-in's name, `lv2:URI` or `ladspa:LIBRARY/LABEL`; nil for a unit. It alone identifies a
  /// plug-in: the codes are derived from it, and may be those of another plug-in, too.
  public var plugIn: String?

  /// Creates a description with the given codes; an omitted code matches every code.
  public init(
    type: FourCharacterCode = .any, subtype: FourCharacterCode = .any,
    manufacturer: FourCharacterCode = .any
  ) {
    self.type =
      type == "aufm"
      ? .musicEffect
      : manufacturer == "bkln" && Self.formerInstruments.contains(subtype) ? .generator : type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// Parses three codes separated by slashes, each four characters or `*`, or the name of a plug-in; nil
  /// for other texts.
  ///
  /// The type `aufm`, the music effect in one of Apple's tables, is read as `aumf`; `aumu/envl/bkln` and
  /// `aumu/mctl/bkln`, former names of built-in units, as `augn`.
  public init?(_ text: some StringProtocol) {
    if Self.formats.contains(where: text.hasPrefix) {
      self.init()
      plugIn = String(text)
      return
    }
    let codes = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { FourCharacterCode($0) }
    guard codes.count == 3, let type = codes[0], let subtype = codes[1],
      let manufacturer = codes[2]
    else { return nil }
    self.init(type: type, subtype: subtype, manufacturer: manufacturer)
  }

  /// Built-in units that were instruments once, and are read as sources of control.
  private static let formerInstruments: [FourCharacterCode] = ["envl", "mctl"]

  /// The prefixes of plug-in names.
  private static let formats = ["lv2:", "ladspa:", rackPrefix]
  private static let rackPrefix = "rack:"

  /// Creates the description of a rack file used as a unit.
  package init(rackFile path: String) {
    self.init()
    plugIn = Self.rackPrefix + path
  }

  /// The path of a rack file used as a unit; nil for other units.
  package var rackFile: String? {
    plugIn.flatMap {
      $0.hasPrefix(Self.rackPrefix) ? String($0.dropFirst(Self.rackPrefix.count)) : nil
    }
  }

  /// Whether one of the three codes is the wildcard.
  public var hasWildcard: Bool {
    guard plugIn == nil else { return false }
    return type.isWildcard || subtype.isWildcard || manufacturer.isWildcard
  }

  /// Whether `other` has the codes of this description; a wildcard of this description matches any code.
  public func matches(_ other: ComponentDescription) -> Bool {
    if let plugIn { return plugIn == other.plugIn }
    return (type.isWildcard || type == other.type)
      && (subtype.isWildcard || subtype == other.subtype)
      && (manufacturer.isWildcard || manufacturer == other.manufacturer)
  }
}

extension ComponentDescription: Hashable {
  public static func == (left: ComponentDescription, right: ComponentDescription) -> Bool {
    guard left.plugIn == nil, right.plugIn == nil else { return left.plugIn == right.plugIn }
    return (left.type, left.subtype, left.manufacturer)
      == (right.type, right.subtype, right.manufacturer)
  }

  public func hash(into hasher: inout Hasher) {
    if let plugIn {
      hasher.combine(plugIn)
    } else {
      hasher.combine(type.rawValue)
      hasher.combine(subtype.rawValue)
      hasher.combine(manufacturer.rawValue)
    }
  }
}

/// Encoded as its text; the text of a plug-in has the codes before its name.
extension ComponentDescription: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let parts = text.split(separator: " ", maxSplits: 1)
    var read = parts.first.flatMap { ComponentDescription($0) }
    if parts.count == 2 { read?.plugIn = String(parts[1]) }
    guard let description = read else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not a component"))
    }
    self = description
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(codeText + (plugIn.map { " \($0)" } ?? ""))
  }
}

extension ComponentDescription: WrittenValue {
  /// Parses a single component: three codes, none of which is the wildcard.
  package init(written text: String) throws(Refusal) {
    guard let component = ComponentDescription(text), !component.hasWildcard else {
      throw Refusal(
        "“\(text)” is not a unit; write type/subtype/manufacturer, as in aufx/dely/bkln, or lv2:URI"
      )
    }
    self = component
  }

  /// The three codes separated by slashes, `aufx/*/bkln`, or the plug-in's name.
  public var description: String { plugIn ?? codeText }

  /// The three codes alone, separated by slashes.
  package var codeText: String { "\(type)/\(subtype)/\(manufacturer)" }

  /// The description as a file or folder name, without slashes.
  package var fileName: String {
    String(description.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
  }
}
