import UnitModel

/// Where audio enters or leaves a unit.
public enum BusType: Sendable {
  case input, output
}

/// One bus of a unit; a view of it, which follows its changes.
public struct Bus: Sendable {
  public let ownerAudioUnit: AudioUnit
  public let busType: BusType
  /// From 0 on.
  public let index: Int

  /// As the unit declares it.
  public var info: BusInfo { settings.info }

  /// What people call it; may be changed at any time.
  public var name: String {
    get { settings.name }
    nonmutating set { ownerAudioUnit.changeBus(self) { $0.name = newValue } }
  }

  public var format: AudioFormat { settings.format }

  /// Is anything connected? Busses that the unit can do without begin disabled, all others enabled.
  public var isEnabled: Bool { settings.isEnabled }

  /// Frames that the host adds to the latency before this bus (input) or after it (output).
  public var contextPresentationLatency: Int {
    get { settings.contextPresentationLatency }
    nonmutating set { ownerAudioUnit.changeBus(self) { $0.contextPresentationLatency = newValue } }
  }

  /// The channel counts that it can have, whatever the other busses have, in order.
  public var supportedChannelCounts: [Int] {
    busType == .input
      ? ownerAudioUnit.facts.possibleInputCounts(ofBus: index)
      : ownerAudioUnit.facts.possibleOutputCounts
  }

  public var maximumChannelCount: Int { supportedChannelCounts.last ?? 0 }

  /// Gives the bus another format.
  ///
  /// Whether the busses' counts go together is settled when render resources are allocated, since
  /// one bus is changed after the other.
  ///
  /// - Throws: `AudioUnitError` with the reason, and the format is as before.
  public func setFormat(_ format: AudioFormat) throws(AudioUnitError) {
    let counts = supportedChannelCounts
    guard counts.contains(format.channelCount) else {
      throw ownerAudioUnit.error(
        "\(busType) bus “\(name)” takes \(UnitFacts.counted(counts)), not \(format.channelCount)")
    }
    guard format.sampleRate.isFinite, format.sampleRate > 0 else {
      throw ownerAudioUnit.error("\(format.sampleRate) Hz is no sample rate")
    }
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

/// What a bus has at present.
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
