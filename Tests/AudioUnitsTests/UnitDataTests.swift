import AudioUnits
import BacklineTestSupport
import Glibc
import Testing
import UnitModel

/// Units save learnt data, such as the Denoiser's noise print, in this process and in their own.
@Suite struct UnitDataTests {
  private static let hum = Signals.sine(frequency: 375, amplitude: 0.1, frames: 96_000)

  /// Returns a Denoiser that has learnt the hum.
  private func learnt(_ options: InstantiationOptions) async throws -> UnitRig {
    var rig = try await UnitRig("aufx/dnoi/bkln", options: options)
    try rig.unit.setParameter(rig.address("noise"), to: 1)
    try rig.unit.scheduleParameter(at: .now(offset: 0), address: rig.address("learn"), value: 1)
    _ = try rig.render([[Self.hum, Self.hum]], frames: 96_000)
    return rig
  }

  private func level(_ rig: inout UnitRig) throws -> Double {
    let heard = try rig.render([[Self.hum, Self.hum]], frames: 96_000)[0].suffix(24_000)
    return 20 * log10(Spectrum.amplitude(Array(heard), at: 375) / 0.1)
  }

  @Test(arguments: [[], .loadOutOfProcess] as [InstantiationOptions])
  func isPartOfItsState(options: InstantiationOptions) async throws {
    let first = try await learnt(options)
    #expect(first.unit.fullState.properties.isEmpty)
    let data = try #require(try first.unit.refreshData().first)
    #expect(data.index == 0 && data.value.hasPrefix("base64:"))
    #expect(first.unit.fullState.properties == ["print": data.value])

    var second = try await UnitRig("aufx/dnoi/bkln", options: options)
    #expect(try second.unit.restore(first.unit.fullState).isEmpty)
    #expect(try abs(level(&second) + 12) < 0.5)
    #expect(try second.unit.refreshData().first?.value == data.value)
    let print = try #require(throws: AudioUnitError.self) {
      try second.unit.setProperty("print", to: "base64:AAAA")
    }
    #expect(print.reason == "this is no noise print")
  }

  /// A process that replaces another has its learnt data.
  @Test func outlastsAProcess() async throws {
    var rig = try await learnt(.loadOutOfProcess)
    _ = try rig.unit.refreshData()
    let before = try #require(rig.unit.processIdentifier)
    kill(pid_t(before), SIGKILL)
    try await eventually("another process plays") {
      _ = try? rig.render([[Self.hum, Self.hum]], frames: 512)
      return rig.unit.processIdentifier.map { $0 != before } ?? false
    }
    try await eventually("it takes the hum away") {
      (try? level(&rig)).map { abs($0 + 12) < 0.5 } ?? false
    }
  }
}
