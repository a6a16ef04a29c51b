import BacklineTestSupport
import Foundation
import Testing

/// An impulse on one input after the other shows each column of the matrix.
@Suite struct FormatConverterTests {
  private let unit = BuiltInUnit("aufc/chan/bkln")

  /// Outputs × inputs.
  private func matrix(
    _ inputs: Int, _ outputs: Int, _ parameters: [String: Float] = [:], written: String? = nil
  ) throws -> [[Float]] {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [inputs], outputChannels: [outputs],
      properties: written.map { ["matrix": $0] } ?? [:], parameters: parameters)
    let impulses = (0..<inputs).map { input in (0..<inputs).map { $0 == input ? Float(1) : 0 } }
    return host.render(inputs: [impulses], frames: inputs)
  }

  private func expect(_ found: [[Float]], _ expected: [[Double]]) {
    #expect(found.count == expected.count)
    for (row, gains) in found.enumerated() {
      #expect(gains.count == expected[row].count)
      for (gain, goal) in zip(gains, expected[row]) {
        #expect(abs(Double(gain) - goal) <= 1e-6, "row \(row): \(gains)")
      }
    }
  }

  private let half = 0.5.squareRoot()

  /// Rec. ITU-R BS.775-3, in the order of WAVE files.
  @Test func mixesDownAndUpAsTheRecommendationSays() throws {
    expect(try matrix(2, 1), [[half, half]])
    expect(try matrix(6, 1), [[half, half, 1, 0, 0.5, 0.5]])
    expect(try matrix(6, 2), [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]])
    expect(
      try matrix(8, 2),
      [[1, 0, half, 0, half, 0, half, 0], [0, 1, half, 0, 0, half, 0, half]])
    expect(try matrix(1, 2), [[half], [half]])
    expect(try matrix(1, 6), [[0], [0], [1], [0], [0], [0]])
    let pass = try matrix(2, 6)
    expect(Array(pass[..<2]), [[1, 0], [0, 1]])
    #expect(pass[2...].joined().allSatisfy { $0 == 0 })
    let up = try matrix(6, 8)
    for (row, input) in [(4, 4), (6, 4), (5, 5), (7, 5)] {
      #expect(abs(Double(up[row][input]) - half) <= 1e-6)
    }
  }

  @Test func countsWithoutALayoutGoStraight() throws {
    for (inputs, outputs) in [(7, 7), (32, 32), (16, 3), (2, 9)] {
      let found = try matrix(inputs, outputs)
      expect(
        found, (0..<outputs).map { row in (0..<inputs).map { $0 == row ? 1 : 0 } })
    }
  }

  @Test func levelsAndNormalisationShapeTheDownMix() throws {
    let parameters: [String: Float] = ["centre": -6, "surround": -96, "lfe": 0, "level": -20]
    let six = pow(10, -0.3)
    expect(
      try matrix(6, 2, parameters),
      [[1, 0, six, 1, 0, 0], [0, 1, six, 1, 0, 0]].map { $0.map { 0.1 * $0 } })
    let normalised = try matrix(6, 2, ["normalise": 1])
    for row in normalised { #expect(abs(row.reduce(0, +) - 1) < 1e-6) }
  }

  @Test func decodingUndoesEncoding() throws {
    expect(try matrix(2, 2, ["mode": 1]), [[0.5, 0.5], [0.5, -0.5]])
    expect(try matrix(2, 2, ["mode": 2]), [[1, 1], [1, -1]])
  }

  @Test func aWrittenMatrixIsReadOrRefusedWithItsPlace() throws {
    expect(
      try matrix(2, 3, ["mode": 3], written: "1 0; 0, -1 ; -6dB 0.25"),
      [[1, 0], [0, -1], [pow(10, -0.3), 0.25]])
    let host = try UnitHost(unit.descriptor)
    let error = #expect(throws: UnitHost.Refusal.self) {
      try host.setProperty("matrix", "1 0; 0 loud")
    }
    #expect("\(error as Any)".contains("row 2, column 2: “loud” is not a gain"))
  }

  @Test func anotherMatrixFadesInWhileItPlays() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["mode": 3])
    let ones = [Signals.constant(1, frames: 1000), Signals.constant(1, frames: 1000)]
    #expect(identical(host.render(inputs: [ones], frames: 1000), ones))
    try host.setProperty("matrix", "0 0; 0.5 0.5")
    let output = host.render(inputs: [ones], frames: 1000)
    #expect(output[0][999] == 0 && output[1] == ones[1])
    #expect(Signals.largestStep(output[0]) < 0.01)
  }
}
