import Testing

@testable import UnitModel

@Suite struct UnitFactsTests {
  static func unit(
    inputs: [BusInfo] = [BusInfo(name: "input", defaultChannelCount: 2)], maximum: Int = 0,
    capabilities: [(Int, Int)] = [], parameters: [ParameterInfo] = []
  ) -> UnitFacts {
    UnitFacts(
      component: ComponentDescription("aufx/test/bkln")!, name: "Test", inputBusses: inputs,
      maximumInputBusCount: maximum,
      outputBusses: [BusInfo(name: "output", defaultChannelCount: 2)],
      channelCapabilities: capabilities.map { ChannelCapability(input: $0.0, output: $0.1) },
      parameters: parameters)
  }

  static let mixer = unit(
    inputs: [BusInfo(name: "1", defaultChannelCount: 2)], maximum: 4,
    parameters: [
      ParameterInfo(identifier: "master", name: "Master", minimum: 0, maximum: 1, defaultValue: 1),
      ParameterInfo(
        identifier: "gain", group: "strip", name: "Gain", minimum: 0, maximum: 1, defaultValue: 1,
        flags: [.default, .perInputBus]),
    ])

  static let voice = unit(parameters: [
    ParameterInfo(identifier: "cutoff", name: "Cutoff", minimum: 0, maximum: 1, defaultValue: 0),
    ParameterInfo(
      identifier: "attack", group: "filter.envelope", name: "Attack", minimum: 0, maximum: 1,
      defaultValue: 0),
  ])

  @Test func keyPathsAndAddressesLeadToEachOther() {
    #expect(Self.voice.parameter(atKeyPath: "cutoff")?.address == 0)
    #expect(Self.voice.parameter(atKeyPath: "filter.envelope.attack")?.address == 1)
    #expect(Self.voice.parameter(atKeyPath: "attack") == nil)
    #expect(Self.voice.parameter(at: 1)?.keyPath == "filter.envelope.attack")
    #expect(Self.voice.parameter(at: 2) == nil)
    #expect(Self.voice.parameter(at: 1 << 32) == nil)
  }

  @Test func aTemplateExistsOncePerBus() {
    #expect(
      Self.mixer.allParameters(inputBusCount: 3).map(\.keyPath)
        == ["master", "1.strip.gain", "2.strip.gain", "3.strip.gain"])
    let second = Self.mixer.parameter(atKeyPath: "2.strip.gain", inputBusCount: 2)
    #expect(second?.address == UInt64(1 << 32 | 1))
    #expect(Self.mixer.parameter(at: 1 << 32 | 1)?.keyPath == "2.strip.gain")
    #expect(Self.mixer.parameter(atKeyPath: "2.strip.gain", inputBusCount: 1) == nil)
    #expect(Self.mixer.parameter(atKeyPath: "strip.gain", inputBusCount: 2) == nil)
    #expect(Self.mixer.parameter(at: 4 << 32 | 1) == nil)
  }

  @Test func bussesAreFoundByNameAndByNumber() {
    let unit = Self.unit(inputs: [
      BusInfo(name: "input", defaultChannelCount: 2),
      BusInfo(name: "sidechain", defaultChannelCount: 1, isOptional: true),
    ])
    #expect(unit.inputBusIndex(of: "sidechain") == 1)
    #expect(unit.inputBusIndex(of: "2") == 1)
    for wrong in ["0", "3", "-1", "-9223372036854775808", "output", ""] {
      #expect(unit.inputBusIndex(of: wrong) == nil)
    }
    #expect(unit.outputBusIndex(of: "output") == 0)
    #expect(Self.mixer.inputBusNames(count: 9) == ["1", "2", "3", "4"])
    #expect(Self.mixer.inputBusIndex(of: "3", count: 4) == 2)
    #expect(Self.mixer.inputBusIndex(of: "3", count: 2) == nil)
  }

  @Test func withoutCapabilitiesEveryBusHasTheSameWidth() throws {
    let unit = Self.unit(inputs: [
      BusInfo(name: "input", defaultChannelCount: 2),
      BusInfo(name: "other", defaultChannelCount: 1),
    ])
    #expect(try unit.channelCounts(sources: [1, nil]) == .init(inputs: [1, 1], outputs: [1]))
    #expect(try unit.channelCounts(sources: [2, nil]) == .init(inputs: [2, 2], outputs: [2]))
    #expect(try unit.channelCounts(sources: [6, 1]) == .init(inputs: [6, 6], outputs: [6]))
    #expect(try unit.channelCounts(sources: [nil, nil]) == .init(inputs: [2, 2], outputs: [2]))
    #expect(
      try unit.channelCounts(sources: [1, nil], output: 2) == .init(inputs: [2, 2], outputs: [2]))
    #expect(unit.outputChannels(forInputs: [3, 3]) == 3)
    #expect(unit.outputChannels(forInputs: [3, 2]) == nil)
    refuses("takes the same number of channels on every input, not 2 and 4") {
      try unit.channelCounts(sources: [2, 4])
    }
    refuses("takes 1 to 32 channels, not 40") { try unit.channelCounts(sources: [40, nil]) }
  }

  @Test func aSidechainIsAsWideAsItsSource() throws {
    let unit = Self.unit(inputs: [
      BusInfo(name: "input", defaultChannelCount: 2),
      BusInfo(name: "sidechain", defaultChannelCount: 2, isOptional: true),
    ])
    #expect(try unit.channelCounts(sources: [6, 1]) == .init(inputs: [6, 1], outputs: [6]))
    #expect(try unit.channelCounts(sources: [1, 2]) == .init(inputs: [1, 2], outputs: [1]))
    #expect(try unit.channelCounts(sources: [1, nil]) == .init(inputs: [1, 2], outputs: [1]))
    #expect(unit.outputChannels(forInputs: [3, 2]) == 3)
    #expect(unit.possibleInputCounts(ofBus: 1) == [1, 2])
    refuses("takes 1 or 2 channels on “sidechain”, not 4") {
      try unit.channelCounts(sources: [2, 4])
    }
    let mixer = Self.unit(inputs: [
      BusInfo(name: "1", defaultChannelCount: 2, isOptional: true),
      BusInfo(name: "2", defaultChannelCount: 2, isOptional: true),
    ])
    #expect(!mixer.isSidechain(1))
    #expect(try mixer.channelCounts(sources: [1, 2]) == .init(inputs: [2, 2], outputs: [2]))
  }

  @Test func aChoiceFallsOnTheUsualWidth() throws {
    let widener = Self.unit(capabilities: [(1, 1), (1, 2), (2, 2)])
    #expect(try widener.channelCounts(sources: [1]) == .init(inputs: [1], outputs: [2]))
    #expect(try widener.channelCounts(sources: [1], output: 1) == .init(inputs: [1], outputs: [1]))
    refuses("takes 1 or 2 channels, not 6") { try widener.channelCounts(sources: [6]) }
    refuses("makes 1 or 2 channels from 1 channel, not 5") {
      try widener.channelCounts(sources: [1], output: 5)
    }
  }

  /// A mixer with a stereo input has a stereo output, although it could have a mono one.
  @Test func aMixerKeepsItsUsualWidth() throws {
    let mixer = Self.unit(capabilities: [(1, 1), (1, 2), (2, 1), (2, 2)])
    #expect(try mixer.channelCounts(sources: [1, 2]) == .init(inputs: [1, 2], outputs: [2]))
    #expect(try mixer.channelCounts(sources: [1, 1]) == .init(inputs: [1, 1], outputs: [2]))
    #expect(
      try mixer.channelCounts(sources: [1, 2], output: 1) == .init(inputs: [1, 2], outputs: [1]))
  }

  @Test func oneChannelFeedsAUnitThatWantsMore() throws {
    let stereo = Self.unit(capabilities: [(2, 2)])
    #expect(try stereo.channelCounts(sources: [1]) == .init(inputs: [2], outputs: [2]))
    refuses("takes 2 channels, not 3") { try stereo.channelCounts(sources: [3]) }
  }

  @Test func anyAndSameAreTakenAtTheirWord() throws {
    let free = Self.unit(capabilities: [(ChannelCapability.any, ChannelCapability.any)])
    #expect(try free.channelCounts(sources: [5], output: 3) == .init(inputs: [5], outputs: [3]))
    #expect(try free.channelCounts(sources: [5]) == .init(inputs: [5], outputs: [2]))
    let source = Self.unit(inputs: [], capabilities: [(0, ChannelCapability.any)])
    #expect(try source.channelCounts(sources: []) == .init(inputs: [], outputs: [2]))
    #expect(try source.channelCounts(sources: [], output: 1) == .init(inputs: [], outputs: [1]))
    refuses("makes 1 to 32 channels, not 33") { try source.channelCounts(sources: [], output: 33) }
  }

  private func refuses(_ reason: String, _ body: () throws -> ChannelCounts) {
    #expect(performing: { try body() }, throws: { "\($0)" == reason })
  }
}
