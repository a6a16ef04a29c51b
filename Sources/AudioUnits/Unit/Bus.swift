import UnitModel

/// Whether audio enters or leaves a unit.
public enum BusType: Sendable {
  case input, output
}

/// One bus of a unit: a view that follows its changes.
public struct Bus: Sendable {
  public let ownerAudioUnit: AudioUnit
  public let busType: BusType
  /// The index among the unit's input or output busses, from 0.
  public let index: Int

  /// The bus's declaration in the unit's descriptor.
  public var info: BusInfo { settings.info }

  /// The display name; may be changed at any time.
  public var name: String {
    get { settings.name }
    nonmutating set { ownerAudioUnit.changeBus(self) { $0.name = newValue } }
  }

  public var format: AudioFormat { settings.format }

  /// Whether the bus is connected. Optional busses are disabled at first, all others enabled.
  public var isEnabled: Bool { settings.isEnabled }

  /// The latency that the host adds before this bus (input) or after it (output), frames.
  public var contextPresentationLatency: Int {
    get { settings.contextPresentationLatency }
    nonmutating set { ownerAudioUnit.changeBus(self) { $0.contextPresentationLatency = newValue } }
  }

  /// The bus's possible channel counts regardless of the other busses, in ascending order.
  public var supportedChannelCounts: [Int] {
    busType == .input
      ? ownerAudioUnit.facts.possibleInputCounts(ofBus: index)
      : ownerAudioUnit.facts.possibleOutputCounts
  }

  public var maximumChannelCount: Int { supportedChannelCounts.last ?? 0 }

  /// Changes the bus's format.
  ///
  /// `allocateRenderResources` checks whether the unit supports the busses' channel counts
  /// together, since busses are changed one by one.
  ///
  /// - Throws: `AudioUnitError` with the reason; then the format stays.
  public func setFormat(_ format: AudioFormat) throws(AudioUnitError) {
    let counts = supportedChannelCounts
    guard counts.contains(format.channelCount) else {
      throw ownerAudioUnit.error(
        "\(busType) bus “\(name)” takes \(UnitFacts.counted(counts)), not \(format.channelCount)")
    }
    try ownerAudioUnit.checkRange(ofSampleRate: format.sampleRate)
    try ownerAudioUnit.changeIdleBus(self, "the format of bus “\(name)”") { $0.format = format }
  }

  /// Connects or disconnects the bus.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated.
  public func setEnabled(_ isEnabled: Bool) throws(AudioUnitError) {
    try ownerAudioUnit.changeIdleBus(self, "whether bus “\(name)” is enabled") {
      $0.isEnabled = isEnabled
    }
  }

  private var settings: BusSettings { ownerAudioUnit.settings(of: self) }
}

/// The current settings of a bus.
struct BusSettings: Sendable {
  let info: BusInfo
  var name: String
  var format: AudioFormat
  var isEnabled: Bool
  var contextPresentationLatency = 0

  init(_ info: BusInfo, sampleRate: Double) {
    self.info = info
    name = info.name
    format = AudioFormat(sampleRate: sampleRate, channelCount: info.defaultChannelCount)
    isEnabled = !info.isOptional
  }
}
