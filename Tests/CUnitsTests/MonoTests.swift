import BacklineTestSupport
import Testing

@Suite struct MonoTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/mono/bkln").descriptor, parameters: parameters)
  }

  /// Random keys beside a model: of those that are held, the last, lowest or highest sounds.
  @Test(arguments: 0..<3, [false, true])
  func playsTheKeyOfItsPriority(priority: Int, isLegato: Bool) throws {
    var random = Random(seed: UInt64(priority + 1))
    var held: [(key: UInt8, velocity: UInt8)] = []
    var sounding: UInt8?
    var (events, expected): ([UnitHost.Event], [Sent]) = ([], [])
    for step in 0..<800 {
      let key = UInt8.random(in: 50..<62, using: &random)
      let time = 20 * step
      let velocity = UInt8.random(in: 1...127, using: &random)
      if let place = held.firstIndex(where: { $0.key == key }) {
        held.remove(at: place)
        events.append(.midi([0x84, key, 33], at: time))
      } else {
        held.append((key, velocity))
        events.append(.midi([0x94, key, velocity], at: time))
      }
      let next =
        priority == 0
        ? held.last
        : held.max { priority == 1 ? $0.key > $1.key : $0.key < $1.key }
      guard next?.key != sounding else { continue }
      let release: UInt8 = events.last!.isNoteOff ? 33 : 64
      let end = sounding.map { [Sent(time, [0x89, $0, release])] } ?? []
      let start = next.map { [Sent(time, [0x99, $0.key, $0.velocity])] } ?? []
      expected += isLegato ? start + end : end + start
      sounding = next?.key
    }
    let host = try host([
      "priority": Float(priority), "legato": isLegato ? 1 : 0, "channel": 10,
    ])
    _ = host.render(frames: 17_000, blockSizes: [64], events: events)
    #expect(firstDifference(host.list, expected) == nil)
  }

  @Test func aChannelsEndLeavesTheKeysOfOthers() throws {
    let host = try host()
    _ = host.render(
      frames: 100,
      events: [
        .midi([0x90, 60, 90], at: 0), .midi([0x91, 64, 80], at: 10), .midi([0xB1, 123, 0], at: 20),
      ])
    #expect(
      host.list == [
        Sent(0, [0x90, 60, 90]), Sent(10, [0x80, 60, 64]), Sent(10, [0x91, 64, 80]),
        Sent(20, [0x81, 64, 64]), Sent(20, [0x90, 60, 90]), Sent(20, [0xB1, 123, 0]),
      ])
  }
}

extension UnitHost.Event {
  fileprivate var isNoteOff: Bool {
    if case .midi(let bytes, _) = kind { bytes[0] & 0xF0 == 0x80 } else { false }
  }
}
