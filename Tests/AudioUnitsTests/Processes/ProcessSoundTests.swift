import AudioUnits
import BacklineTestSupport
import CUnit
import Testing
import UnitModel

/// A unit's output does not depend on the process in which it runs.
@Suite struct ProcessSoundTests {
  /// All units except offline effects.
  private static let names = ComponentCatalogue().knownFacts.filter { !$0.isOfflineEffect }
    .map { "\($0.component)" }.sorted()

  /// Renders a quarter of a second in uneven cycles, with ramps of all parameters and a note.
  private func render(
    _ name: String, _ options: InstantiationOptions, isOffline: Bool
  ) async throws -> [[Float]] {
    var rig = try await UnitRig(name, options: options) { unit in
      unit.isRenderingOffline = isOffline
      for bus in unit.inputBusses { try bus.setEnabled(true) }
      for parameter in unit.facts.allParameters(inputBusCount: unit.inputBusses.count).prefix(3)
      where parameter.info.flags.contains(.writable) {
        let middle = (parameter.info.minimum + parameter.info.maximum) / 2
        try unit.setParameter(parameter.address, to: parameter.info.nearest(to: middle))
      }
    }
    rig.unit.setRenderTimeout(4_000_000_000)
    rig.unit.processPolicy.timeout = 60
    for parameter in rig.unit.facts.allParameters(inputBusCount: rig.unit.inputBusses.count)
    where parameter.info.flags.contains(.writable) {
      try rig.unit.scheduleParameter(
        at: .sampleTime(700), ramp: 300, address: parameter.address,
        value: parameter.info.nearest(to: parameter.info.minimum))
    }
    if rig.unit.facts.hasMIDIInput {
      try rig.unit.scheduleMIDI(at: .sampleTime(33), cable: 0, bytes: [0x90, 60, 100])
      try rig.unit.scheduleMIDI(at: .sampleTime(4_001), cable: 0, bytes: [0x80, 60, 0])
    }
    let inputs = rig.unit.inputBusses.map { bus in
      (0..<bus.format.channelCount).map { channel in
        Signals.noise(frames: 12_000, seed: UInt64(channel + 1))
      }
    }
    return try rig.render(inputs, frames: 12_000, cycles: [64, 17, 1, 512, 1024])
  }

  @Test(arguments: names) func aUnitYieldsTheSameInAProcessOfItsOwn(_ name: String) async throws {
    let here = try await render(name, .loadInProcess, isOffline: true)
    let there = try await render(name, .loadOutOfProcess, isOffline: true)
    let live = try await render(name, .loadOutOfProcess, isOffline: false)
    #expect(here.count == there.count && here.count == live.count)
    for channel in here.indices {
      #expect(firstDifference(here[channel], there[channel]) == nil)
      #expect(firstDifference(here[channel], live[channel]) == nil)
    }
  }
}
