import BacklineTestSupport

/// A message and its frame, as lists are written in tests.
struct Sent: Hashable, CustomStringConvertible {
  let time: Int
  let bytes: [UInt8]

  init(_ time: Int, _ bytes: [UInt8]) { (self.time, self.bytes) = (time, bytes) }

  var description: String { "\(time): \(bytes)" }
}

extension UnitHost {
  var list: [Sent] { sentMIDI.map { Sent(Int($0.sampleTime), $0.bytes) } }

  /// What begins notes.
  var begun: [Sent] { list.filter { $0.bytes[0] & 0xF0 == 0x90 && $0.bytes[2] > 0 } }

  /// The notes in the order in which they begin: frames, status and number.
  var played: [(start: Int, end: Int?, channel: Int, note: Int, velocity: Int)] {
    let all = list
    return all.indices.filter { all[$0].bytes[0] & 0xF0 == 0x90 }.map { place in
      let (message, later) = (all[place], all[(place + 1)...])
      let end = later.first {
        $0.bytes[0] == message.bytes[0] - 0x10 && $0.bytes[1] == message.bytes[1]
      }
      return (
        message.time, end?.time, Int(message.bytes[0] & 15), Int(message.bytes[1]),
        Int(message.bytes[2])
      )
    }
  }
}

/// A key that is pressed and let go, at velocity 100.
func key(_ note: UInt8, _ start: Int, _ end: Int, channel: UInt8 = 0) -> [UnitHost.Event] {
  [.midi([0x90 | channel, note, 100], at: start), .midi([0x80 | channel, note, 0], at: end)]
}
