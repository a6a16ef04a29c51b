import Documents

/// Everything known about a unit before an instance is created: the unit ABI's descriptor as
/// values.
public struct UnitFacts: Sendable, Equatable, Codable {
  public var component: ComponentDescription
  /// The version as 0x00MMmmpp; 0x00010000 for 1.0.0.
  public var version: UInt32
  /// The display name; "Ring Modulator".
  public var name: String
  public var manufacturerName: String
  /// The unit's effect on the sound, in one line.
  public var summary: String
  public var tags: [String]
  public var hasMIDIInput: Bool
  /// Whether the unit has something to play without MIDI.
  public var isMIDIOptional: Bool
  /// The number of MIDI input cables; 0 without MIDI input.
  public var virtualMIDICableCount: Int
  /// The names of the MIDI output cables; empty if the unit sends no MIDI.
  public var midiOutputNames: [String]
  /// Whether keys may have names of their own, such as drums.
  public var namesNotes: Bool
  /// Whether the unit supports MIDI Polyphonic Expression.
  public var supportsMPE: Bool
  /// Whether the unit follows the expressions of single notes.
  public var followsExpressions: Bool
  public var canProcessInPlace: Bool
  /// Whether the unit renders into memory of its own.
  public var providesOutput: Bool
  public var inputBusses: [BusInfo]
  /// The maximum number of input busses; at least the number of `inputBusses`.
  public var maximumInputBusCount: Int
  public var outputBusses: [BusInfo]
  /// The channel capabilities; empty means any count, the same on every bus.
  public var channelCapabilities: [ChannelCapability]
  public var parameters: [ParameterInfo]
  /// The display names of groups, by key path.
  public var parameterGroupNames: [String: String]
  public var properties: [PropertyInfo]
  public var factoryPresets: [FactoryPreset]
  /// The arrays that the unit shows while it is watched.
  public var telemetry: [TelemetryInfo]

  public init(
    component: ComponentDescription, version: UInt32 = 0x0001_0000, name: String,
    manufacturerName: String = "", summary: String = "", tags: [String] = [],
    hasMIDIInput: Bool = false, isMIDIOptional: Bool = false, virtualMIDICableCount: Int = 1,
    midiOutputNames: [String] = [], namesNotes: Bool = false, supportsMPE: Bool = false,
    followsExpressions: Bool = false,
    canProcessInPlace: Bool = false, providesOutput: Bool = false,
    inputBusses: [BusInfo] = [], maximumInputBusCount: Int = 0, outputBusses: [BusInfo] = [],
    channelCapabilities: [ChannelCapability] = [], parameters: [ParameterInfo] = [],
    parameterGroupNames: [String: String] = [:],
    properties: [PropertyInfo] = [], factoryPresets: [FactoryPreset] = [],
    telemetry: [TelemetryInfo] = []
  ) {
    self.component = component
    self.version = version
    self.name = name
    self.manufacturerName = manufacturerName
    self.summary = summary
    self.tags = tags
    self.hasMIDIInput = hasMIDIInput
    self.isMIDIOptional = isMIDIOptional
    self.virtualMIDICableCount = hasMIDIInput ? max(1, virtualMIDICableCount) : 0
    self.midiOutputNames = midiOutputNames
    self.namesNotes = namesNotes
    self.supportsMPE = supportsMPE
    self.followsExpressions = followsExpressions
    self.canProcessInPlace = canProcessInPlace
    self.providesOutput = providesOutput
    self.inputBusses = inputBusses
    self.maximumInputBusCount = max(maximumInputBusCount, inputBusses.count)
    self.outputBusses = outputBusses
    self.channelCapabilities = channelCapabilities
    self.parameters = parameters
    self.parameterGroupNames = parameterGroupNames
    self.properties = properties
    self.factoryPresets = factoryPresets
    self.telemetry = telemetry
  }

  /// Whether the unit reads a whole sound before it yields any output.
  public var isOfflineEffect: Bool { component.type == .offlineEffect }

  /// The version as text; "1.0.0".
  public var versionText: String { Self.written(version: version) }

  /// Returns "1.0.0" for 0x00010000.
  public static func written(version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }

  /// Returns 0x00010000 for "1.0.0" or "1"; nil for other texts.
  public static func version(written text: String) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
    guard (1...3).contains(parts.count), let major = parts[0], major <= 0xFFFF else { return nil }
    let others = (1...2).map { $0 < parts.count ? parts[$0] : 0 }
    guard let minor = others[0], let patch = others[1], minor <= 0xFF, patch <= 0xFF else {
      return nil
    }
    return major << 16 | minor << 8 | patch
  }
}

extension KeyType where Value == Located<UInt32> {
  /// The type of a version such as 1.0.0.
  package static var version: KeyType {
    .parsed(
      { text throws(Refusal) in
        if let version = UnitFacts.version(written: text) { return version }
        throw Refusal(
          "“\(text.prefix(40))” is not a version; write it like 1.0.0, up to 65535.255.255")
      }, written: UnitFacts.written(version:))
  }
}
