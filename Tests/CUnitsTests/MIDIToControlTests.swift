import BacklineTestSupport
import Testing

@Suite struct MIDIToControlTests {
  private let unit = BuiltInUnit("augn/mctl/bkln")

  private struct Case: Sendable {
    let source: Float
    let message: [UInt8]
    let value: Float
  }

  private static let cases = [
    Case(source: 0, message: [0xB4, 1, 127], value: 1),
    Case(source: 0, message: [0xB4, 1, 32], value: 32 / 127.0),
    Case(source: 0, message: [0xB4, 2, 127], value: 0.5),
    Case(source: 1, message: [0xE4, 0, 0], value: -1),
    Case(source: 1, message: [0xE4, 0, 64], value: 0),
    Case(source: 1, message: [0xE4, 127, 127], value: 1),
    Case(source: 1, message: [0xE4, 0, 96], value: 4096 / 8191.0),
    Case(source: 2, message: [0x94, 60, 100], value: 60 / 127.0),
    Case(source: 2, message: [0x94, 60, 0], value: 0.5),
    Case(source: 3, message: [0x94, 60, 100], value: 100 / 127.0),
    Case(source: 4, message: [0xD4, 99], value: 99 / 127.0),
    Case(source: 5, message: [0xA4, 60, 98], value: 98 / 127.0),
    Case(source: 0, message: [0xB4, 121, 0], value: 0),
    Case(source: 1, message: [0xB4, 121, 0], value: 0),
    Case(source: 3, message: [0xB4, 121, 0], value: 0.5),
  ]

  /// Messages that bring each source to a half, where there is one.
  private static let halves: [[UInt8]] = [
    [0xB4, 1, 64], [0xE4, 0, 96], [0x94, 64, 64], [0x94, 64, 64], [0xD4, 64], [0xA4, 60, 64],
  ]

  @Test(arguments: cases.indices, [Float(0), 5, 6]) func messagesHaveTheirValue(
    index: Int, channel: Float
  ) throws {
    let test = Self.cases[index]
    let host = try UnitHost(
      unit.descriptor, parameters: ["source": test.source, "channel": channel, "smoothing": 0])
    let half = Self.halves[Int(test.source)]
    let output = host.render(
      frames: 300,
      events: [.midi(half, at: 100), .midi(test.message, at: 200)])[0]
    #expect(output[..<100].allSatisfy { $0 == 0 })
    if channel == 6 {
      #expect(output.allSatisfy { $0 == 0 })
    } else {
      let before = output[150]
      #expect(abs(before - (test.source == 1 ? 4096 / 8191 : 64 / 127)) < 1e-6)
      let expected = test.value == 0.5 ? before : test.value
      #expect(output[200...].allSatisfy { abs($0 - expected) < 1e-6 })
    }
  }

  /// Reset All Controllers puts expression to the top, pedals to 0, and leaves volume (RP-015).
  @Test(arguments: [(11, 1), (64, 0), (67, 0), (7, 50 / 127)] as [(Float, Float)])
  func aResetPutsControllersToTheirPlaces(controller: Float, value: Float) throws {
    let host = try UnitHost(
      unit.descriptor, parameters: ["controller": controller, "smoothing": 0])
    let output = host.render(
      frames: 300,
      events: [
        .midi([0xB0, UInt8(controller), 50], at: 100), .midi([0xB0, 121, 0], at: 200),
      ])[0]
    #expect(abs(output[150] - 50 / 127) < 1e-6)
    #expect(output[200...].allSatisfy { abs($0 - value) < 1e-6 })
  }
}
