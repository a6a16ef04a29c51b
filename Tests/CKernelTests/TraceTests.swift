import BacklineTestSupport
import CKernel
import Testing
import UnitMeasurement

/// A jump is heard as a movement: of a sine of 1 kHz at -12 dBFS nothing is above -80 dBc further
/// than 1 kHz from it.
struct TraceTests {
  private static let sine = Signals.sine(frequency: 1000, amplitude: 0.25, frames: 16_384)

  /// dBc, around a command in the middle of the sine to a gain of -20 dB.
  private func spurs(_ type: bl_command_type, _ fill: (inout bl_command) -> Void) throws -> Double {
    let host = KernelHost()
    host.add(BuiltInUnit("aufx/gain/bkln").descriptor, parameters: [(0, -20)])
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    let half = Self.sine.count / 2
    var output = host.render([Array(Self.sine.prefix(half))], frames: half, cycles: [64])[0]
    host.send(type, to: 0, fill)
    output += host.render([Array(Self.sine.suffix(half))], frames: half, cycles: [64])[0]
    #expect(abs(output[16_000] - Self.sine[16_000]) < 1e-5, "it has arrived")
    let spectrum = LineSpectrum(output)
    return max(spectrum.peak(from: 0, to: 10), spectrum.peak(from: 2000, to: 23_990)) + 12.04
  }

  @Test func aParameterLeavesNone() throws {
    let spurs = try spurs(BL_COMMAND_SET_PARAMETER) {
      $0.parameter = bl_parameter_event(address: 0, value: 0, ramp_duration: 0)
    }
    #expect(spurs < -80)
  }

  @Test func aBypassLeavesNone() throws {
    #expect(try spurs(BL_COMMAND_SET_BYPASS) { $0.bypassed = true } < -80)
  }
}
