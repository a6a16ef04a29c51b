/// Everything known of a unit before one is made: the unit ABI's descriptor, as values.
public struct UnitFacts: Sendable, Equatable {
  public var component: ComponentDescription
  /// 0x00MMmmpp, as in 0x00010000 for 1.0.0.
  public var version: UInt32
  /// For people; "Ring Modulator".
  public var name: String
  public var manufacturerName: String
  /// One line: what it does to the sound.
  public var summary: String
  public var tags: [String]
  public var hasMIDIInput: Bool
  /// Cables of MIDI input that the unit tells apart; 0 without MIDI input.
  public var virtualMIDICableCount: Int
  /// One for each cable of MIDI output; empty where the unit sends none.
  public var midiOutputNames: [String]
  /// Understands MIDI Polyphonic Expression.
  public var supportsMPE: Bool
  public var canProcessInPlace: Bool
  /// The unit renders into memory of its own.
  public var providesOutput: Bool
  public var inputBusses: [BusInfo]
  /// At least the number of `inputBusses`; where above, a host may ask for so many.
  public var maximumInputBusCount: Int
  public var outputBusses: [BusInfo]
  /// Empty: any count, the same on every bus.
  public var channelCapabilities: [ChannelCapability]
  public var parameters: [ParameterInfo]
  /// Names of groups for people, by key path.
  public var parameterGroupNames: [String: String]
  public var properties: [PropertyInfo]
  public var factoryPresets: [FactoryPreset]

  public init(
    component: ComponentDescription, version: UInt32 = 0x0001_0000, name: String,
    manufacturerName: String = "", summary: String = "", tags: [String] = [],
    hasMIDIInput: Bool = false, virtualMIDICableCount: Int = 1, midiOutputNames: [String] = [],
    supportsMPE: Bool = false, canProcessInPlace: Bool = false, providesOutput: Bool = false,
    inputBusses: [BusInfo] = [], maximumInputBusCount: Int = 0, outputBusses: [BusInfo] = [],
    channelCapabilities: [ChannelCapability] = [], parameters: [ParameterInfo] = [],
    parameterGroupNames: [String: String] = [:],
    properties: [PropertyInfo] = [], factoryPresets: [FactoryPreset] = []
  ) {
    self.component = component
    self.version = version
    self.name = name
    self.manufacturerName = manufacturerName
    self.summary = summary
    self.tags = tags
    self.hasMIDIInput = hasMIDIInput
    self.virtualMIDICableCount = hasMIDIInput ? max(1, virtualMIDICableCount) : 0
    self.midiOutputNames = midiOutputNames
    self.supportsMPE = supportsMPE
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
  }

  /// The version for people; "1.0.0".
  public var versionText: String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }
}
