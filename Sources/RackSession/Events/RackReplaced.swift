/// An event that other units, cables or presets play: an earlier listing is out of date.
public struct RackReplaced: RackEvent {
  public static let name = "rack"
  /// The rack's name.
  public var rack: String
  public var lines: [String] { ["rack  \(rack)"] }

  init(_ rack: String) { self.rack = rack }

  public init(from decoder: any Decoder) throws {
    rack = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rack)
  }
}

/// An event that boxes of the rack's graph have moved: an earlier drawing is out of date.
public struct BoxesMoved: RackEvent {
  public static let name = "layout"
  /// The rack's name.
  public var rack: String

  init(_ rack: String) { self.rack = rack }

  public init(from decoder: any Decoder) throws {
    rack = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rack)
  }
}
