import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

/// The poly synth's unison and presets; figures measure its oscillators and its filter.
@Suite struct PolySynthTests {
  let unit = BuiltInUnit("aumu/poly/bkln")

  /// Two copies, detuned to either side and panned there.
  @Test func unisonDetunesAndSpreads() throws {
    let host = try UnitHost(
      unit.descriptor,
      parameters: [
        "level": 0, "drift": 0, "filter.mode": 5, "amplifier.sustain": 100, "amplifier.velocity": 0,
        "osc1.shape": 0, "unison.voices": 2, "unison.detune": 50, "unison.spread": 100,
      ])
    let output = host.render(frames: 49_200, events: [.midi([0x90, 69, 127], at: 0)])
    for (channel, cents) in [(0, -50.0), (1, 50)] {
      let frequency: Double = 440 * pow(2, cents / 1200)
      let fit = SineFit(output[channel].suffix(9600), frequency: frequency, sampleRate: 48_000)
      #expect(abs(fit.amplitude - 1) < 1e-3)
      #expect(fit.residual < 2e-3)
    }
  }

  @Test(arguments: 0..<40) func everyPresetSounds(_ index: Int) throws {
    let preset = unit.facts.factory_presets[index]
    let values = (0..<preset.value_count).map { preset.values[$0] }
    let host = try UnitHost(unit.descriptor, outputChannels: [1])
    for value in values {
      host.set(path(of: value.address), value.value)
    }
    let keys: [UInt8] = index < 10 ? [36] : [48, 60, 64, 67]
    let output = host.render(
      frames: 4800, events: keys.map { .midi([0x90, $0, 127], at: 0) })[0]
    let peak = output.map(abs).max() ?? 0
    #expect(peak > 1e-4 && peak < 1, "\(String(cString: preset.name))")
  }

  @Test(arguments: BuiltInUnit("aumu/poly/bkln").presetNames) func chordsHaveRoom(name: String)
    throws
  {
    let chord: [UInt8] = [48, 55, 60, 64, 67]
    let output = try unit.host(preset: name).render(
      frames: 48_000, events: chord.map { .midi([0x90, $0, 100], at: 0) })
    #expect(output.joined().allSatisfy { abs($0) < 1 })
  }

  @Test func aPianoHasRoomForAllItsKeys() throws {
    let output = try unit.host(preset: "Electric Piano").render(
      frames: 144_000, events: UnitHost.Event.everyPianoKey)
    #expect(output.joined().allSatisfy { abs($0) < 1 })
  }

  private func path(of address: UInt64) -> String {
    let info = unit.facts.parameters[Int(address)]
    let own = String(cString: info.identifier)
    return info.group.map { "\(String(cString: $0)).\(own)" } ?? own
  }
}
