import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct FormatConverterTests {
  private let unit = BuiltInUnit("aufc/chan/bkln")

  @Test func aWrittenMatrixIsReadOrRefusedWithItsPlace() throws {
    let mixed = try UnitHost(
      unit.descriptor, inputChannels: [2], outputChannels: [3],
      properties: ["matrix": "1 0; 0, -1 ; -6dB 0.25"], parameters: ["mode": 3]
    ).play([[1, 0], [0, 1]])
    let expected: [Float] = [1, 0, 0, -1, Float(Level.amplitude(-6)), 0.25]
    #expect(Deviation.worst(of: Array(mixed.joined()), from: expected) < 1e-6)
    let host = try UnitHost(unit.descriptor)
    let error = #expect(throws: UnitHost.Refusal.self) {
      try host.setProperty("matrix", "1 0; 0 loud")
    }
    #expect("\(error as Any)".contains("row 2, column 2: “loud” is not a gain"))
  }

  @Test func anotherMatrixFadesInWhileItPlays() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["mode": 3])
    let ones = [Signals.constant(1, frames: 1000), Signals.constant(1, frames: 1000)]
    #expect(identical(host.play(ones), ones))
    try host.setProperty("matrix", "0 0; 0.5 0.5")
    let output = host.play(ones)
    #expect(output[0][999] == 0 && output[1] == ones[1])
    #expect(Signals.largestStep(output[0]) < 0.01)
  }
}
