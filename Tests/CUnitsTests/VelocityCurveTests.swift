import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct VelocityCurveTests {
  private func curve(_ parameters: [String: Float]) throws -> [Int] {
    let host = try UnitHost(BuiltInUnit("aumi/velo/bkln").descriptor, parameters: parameters)
    _ = host.render(
      frames: 200, events: (1...127).map { .midi([0x90, 60, UInt8($0)], at: $0) })
    return host.sentMIDI.map { Int($0.bytes[2]) }
  }

  @Test func leavesAllAsItIsToBeginWith() throws {
    #expect(try curve([:]) == Array(1...127))
  }

  /// minimum + (maximum - minimum) x^g, g = 2^(-curve/50).
  @Test(arguments: [-100, -30, 30, 100], [[1, 127], [40, 90], [120, 10]])
  func followsItsFormula(curve: Int, range: [Int]) throws {
    let found = try self.curve([
      "curve": Float(curve), "minimum": Float(range[0]), "maximum": Float(range[1]),
    ])
    for (velocity, value) in zip(1...127, found) {
      let force = pow(Double(velocity - 1) / 126, pow(2, -Double(curve) / 50))
      let expected = Double(range[0]) + Double(range[1] - range[0]) * force
      #expect(abs(Double(value) - expected) <= 0.5001, "velocity \(velocity)")
    }
  }

  @Test func fixedIsTheMaximum() throws {
    #expect(Set(try curve(["fixed": 1, "maximum": 77])) == [77])
  }

  @Test func theEndOfANoteStaysOne() throws {
    let host = try UnitHost(BuiltInUnit("aumi/velo/bkln").descriptor, parameters: ["minimum": 50])
    _ = host.render(
      frames: 10, events: [.midi([0x90, 60, 0], at: 0), .midi([0x80, 60, 3], at: 1)])
    #expect(host.sentMIDI.map(\.bytes) == [[0x90, 60, 0], [0x80, 60, 3]])
  }
}
