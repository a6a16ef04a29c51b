import AudioUnits
import Observation
import Synchronization
import Testing
import UnitModel

/// The formats, counts and names of busses.
@Suite struct BusTests {
  private func make(_ name: String) async throws -> AudioUnit {
    try await AudioUnit.instantiate(
      try #require(ComponentDescription(name)), catalogue: ComponentCatalogue())
  }

  @Test func aFormatThatTheUnitTakesIsTaken() async throws {
    let unit = try await make("aufx/gain/bkln")
    for bus in [unit.inputBusses[0], unit.outputBusses[0]] {
      try bus.setFormat(AudioFormat(sampleRate: 96_000, channelCount: 6))
      #expect(bus.format == AudioFormat(sampleRate: 96_000, channelCount: 6))
      #expect(bus.supportedChannelCounts == Array(1...32) && bus.maximumChannelCount == 32)
    }
    try unit.allocateRenderResources()
    #expect(unit.renderResourcesAllocated)
  }

  @Test func theRateOfTheUnitIsThatOfAllItsBusses() async throws {
    let unit = try await make("aumx/mixr/bkln")
    try unit.setSampleRate(96_000)
    try unit.inputBusses.setBusCount(3)
    let rates = (0..<3).map { unit.inputBusses[$0].format.sampleRate }
    #expect(rates == [96_000, 96_000, 96_000])
    #expect(unit.sampleRate == 96_000 && unit.outputBusses[0].format.sampleRate == 96_000)
    for rate in [0, 999, .nan, .infinity, 1e6] {
      #expect(throws: AudioUnitError.self) { try unit.setSampleRate(rate) }
    }
    try unit.allocateRenderResources()
    #expect(throws: AudioUnitError.self) { try unit.setSampleRate(48_000) }
    #expect(unit.sampleRate == 96_000)
  }

  @Test func whatDoesNotGoTogetherIsRefusedWithTheReason() async throws {
    let unit = try await make("aufx/gain/bkln")
    try unit.outputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
    var error = #expect(throws: AudioUnitError.self) { try unit.allocateRenderResources() }
    #expect(error?.reason.contains("[-1, -1]") == true, "\(error?.reason ?? "")")
    try unit.outputBusses[0].setFormat(AudioFormat(sampleRate: 44_100, channelCount: 2))
    error = #expect(throws: AudioUnitError.self) { try unit.allocateRenderResources() }
    #expect(error?.reason.contains("44100.0 and 48000.0") == true, "\(error?.reason ?? "")")
    #expect(!unit.renderResourcesAllocated)
    for format in [(0.0, 2), (48_000, 33), (48_000, 0), (.nan, 2)] {
      #expect(throws: AudioUnitError.self) {
        try unit.inputBusses[0].setFormat(
          AudioFormat(sampleRate: format.0, channelCount: format.1))
      }
    }
  }

  @Test func nothingChangesWhileResourcesAreAllocated() async throws {
    let unit = try await make("aumx/mixr/bkln")
    try unit.allocateRenderResources()
    let format = unit.inputBusses[0].format
    let attempts: [() throws -> Void] = [
      { try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1)) },
      { try unit.inputBusses[0].setEnabled(true) },
      { try unit.inputBusses.setBusCount(3) },
      { try unit.setMaximumFramesToRender(64) },
      { try unit.setEventCapacity(64) },
      { try unit.allocateRenderResources() },
    ]
    for attempt in attempts {
      let error = #expect(throws: AudioUnitError.self) { try attempt() }
      #expect(error?.reason.contains("allocated") == true, "\(error?.reason ?? "")")
    }
    #expect(unit.inputBusses[0].format == format && unit.inputBusses.count == 1)
    unit.deallocateRenderResources()
    for attempt in attempts { try attempt() }
    #expect(unit.inputBusses.count == 3)
  }

  @Test func bussesComeAndGoWhereTheUnitAllowsIt() async throws {
    let mixer = try await make("aumx/mixr/bkln")
    #expect(mixer.inputBusses.isCountChangeable && !mixer.outputBusses.isCountChangeable)
    try mixer.inputBusses.setBusCount(4)
    #expect(mixer.inputBusses.map(\.name) == ["1", "2", "3", "4"])
    let gain = try #require(mixer.facts.parameter(atKeyPath: "4.gain", inputBusCount: 4))
    try mixer.setParameter(gain.address, to: -3)
    #expect(mixer.parameterValue(gain.address) == -3)
    mixer.inputBusses[3].name = "Voice"
    #expect(mixer.inputBusses[named: "Voice"]?.index == 3)
    try mixer.inputBusses.setBusCount(2)
    #expect(mixer.parameterValue(gain.address) == nil)
    let error = #expect(throws: AudioUnitError.self) { try mixer.inputBusses.setBusCount(1000) }
    #expect(error?.reason.contains("not 1000") == true)

    let effect = try await make("aufx/gain/bkln")
    let refusal = #expect(throws: AudioUnitError.self) { try effect.inputBusses.setBusCount(2) }
    #expect(refusal?.reason == "it has just 1 input busses, not 2")
  }

  @Test func changesReachThoseWhoObserve() async throws {
    let unit = try await make("aufx/gain/bkln")
    let told = Atomic(0)
    for _ in 0..<2 {
      withObservationTracking {
        _ = unit.inputBusses[0].format
      } onChange: {
        told.add(1, ordering: .relaxed)
      }
      try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 96_000, channelCount: 1))
    }
    withObservationTracking {
      _ = unit.contextName
    } onChange: {
      told.add(1, ordering: .relaxed)
    }
    unit.contextName = "Guitar"
    withObservationTracking {
      _ = unit.outputBusses[0].contextPresentationLatency
    } onChange: {
      told.add(1, ordering: .relaxed)
    }
    unit.outputBusses[0].contextPresentationLatency = 480
    let toldCount = told.load(ordering: .relaxed)
    #expect(toldCount == 4)
    #expect(unit.contextName == "Guitar")
    #expect(unit.outputBusses.map(\.contextPresentationLatency) == [480])
    #expect(unit.inputBusses.map(\.contextPresentationLatency) == [0])
  }

  @Test func bussesKnowTheirPlace() async throws {
    let unit = try await make("aufx/cmpr/bkln")
    for (busses, type) in [(unit.inputBusses, BusType.input), (unit.outputBusses, .output)] {
      #expect(busses.ownerAudioUnit === unit && busses.busType == type)
      for (index, bus) in busses.enumerated() {
        #expect(bus.ownerAudioUnit === unit && bus.busType == type && bus.index == index)
      }
    }
  }

  @Test func aSidechainHasCountsOfItsOwn() async throws {
    let unit = try await make("aufx/cmpr/bkln")
    #expect(unit.inputBusses[1].supportedChannelCounts == [1, 2])
    for (main, side) in [(1, 2), (2, 1), (6, 2)] {
      let format = AudioFormat(sampleRate: 48_000, channelCount: main)
      try unit.inputBusses[0].setFormat(format)
      try unit.outputBusses[0].setFormat(format)
      try unit.inputBusses[1].setFormat(AudioFormat(sampleRate: 48_000, channelCount: side))
      try unit.inputBusses[1].setEnabled(true)
      try unit.allocateRenderResources()
      unit.deallocateRenderResources()
    }
    let error = #expect(throws: AudioUnitError.self) {
      try unit.inputBusses[1].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 3))
    }
    #expect(error?.reason == "input bus “sidechain” takes 1 or 2 channels, not 3")
  }
}
