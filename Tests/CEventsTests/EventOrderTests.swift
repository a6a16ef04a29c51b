import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// Each unit gets one list of events, ordered as event_list.h says: by time; at one frame,
/// parameters before MIDI, each sender's messages in its order, and note ends before other senders'
/// note starts.
@Suite struct EventOrderTests {
  private struct Event: Equatable {
    var time: Int64
    /// The sender of a MIDI message; nil for a parameter, whose value `bytes` then holds.
    var sender: UInt8?
    var bytes: [UInt8]

    var begins: Bool { sender != nil && bytes[0] & 0xF0 == 0x90 && bytes[2] > 0 }
    var ends: Bool {
      sender != nil && (bytes[0] & 0xF0 == 0x80 || (bytes[0] & 0xF0 == 0x90 && bytes[2] == 0))
    }
  }

  private static func events(of unit: OpaquePointer) -> [Event] {
    (0..<bl_test_event_count(unit)).map { index in
      let event = bl_test_event(unit, index)
      guard event.type == BL_EVENT_MIDI else {
        let bits = event.parameter.value.bitPattern
        return Event(
          time: event.sample_time, sender: nil,
          bytes: (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
      }
      let bytes = event.midi.bytes
      return Event(
        time: event.sample_time, sender: event.midi.cable, bytes: [bytes.0, bytes.1, bytes.2])
    }
  }

  /// Plays notes of two inputs, a transposer and the schedule, and parameter changes of a control
  /// and the schedule, into one unit: twelve events at each of 24 frames. Returns the unit's
  /// events.
  private static func flood(seed: UInt64, cycles: [Int]) throws -> [Event] {
    var random = Random(seed: seed)
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    host.add(BuiltInUnit("aumi/trns/bkln").descriptor, inputs: [], outputs: [])
    var knob = bl_control()
    (knob.source, knob.number, knob.channels, knob.to) = (BL_CONTROL_CONTROLLER, 7, .max, 1)
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)],
        midi: [
          KernelHost.midi(nil, 0, from: 0, to: 0), KernelHost.midi(nil, 0, from: 1, to: 1),
          KernelHost.midi(nil, 1, from: 2), KernelHost.midi(1, 0, to: 2),
        ], midiInputs: 3, controls: [knob]))
    var (messages, counts): ([KernelHost.Message], [Int]) = ([], [0, 0, 0, 0])
    /// Returns a message whose key and velocity number it among those of its sender.
    func message(of sender: Int, status: UInt8) -> [UInt8] {
      counts[sender] += 1
      return [status, UInt8(counts[sender] % 100), UInt8(1 + counts[sender] / 100)]
    }
    for frame in (0..<24).map({ _ in Int.random(in: 0..<512, using: &random) }).sorted() {
      for _ in 0..<12 {
        let status: UInt8 = Bool.random(using: &random) ? 0x90 : 0x80
        let sender = Int.random(in: 0...5, using: &random)
        switch sender {
        case 0...2:
          messages.append(.init(message(of: sender, status: status), at: frame, port: sender))
        case 3:
          let bytes = message(of: 3, status: status)
          _ = bytes.withUnsafeBufferPointer {
            bl_kernel_send_midi(host.kernel, 0, Int64(frame), 3, 3, $0.baseAddress)
          }
        case 4:
          messages.append(.init([0xB0, 7, UInt8.random(in: 0...127, using: &random)], at: frame))
        default: host.schedule(0, value: Float.random(in: 0...10, using: &random), at: Int64(frame))
        }
      }
    }
    _ = host.render(
      [[Float](repeating: 1, count: 512)], frames: 512, cycles: cycles, midi: messages)
    #expect(host.count(BL_REPORT_EVENTS_LOST) == 0)
    return events(of: host.units[0])
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func aFloodIsInOrder(seed: UInt64) throws {
    let events = try Self.flood(seed: seed, cycles: [512])
    #expect(events.count > 200)
    var last = [UInt8: Int]()
    for (before, event) in zip(events, events.dropFirst()) {
      #expect(before.time <= event.time)
      guard before.time == event.time else { continue }
      #expect(before.sender == nil || event.sender != nil, "a parameter behind MIDI")
      #expect(
        !(before.begins && event.ends && before.sender != event.sender), "an end behind a beginning"
      )
    }
    for event in events where event.sender != nil && event.bytes[0] & 0xF0 != 0xB0 {
      let number = Int(event.bytes[1]) + 100 * (Int(event.bytes[2]) - 1)
      // The transposer leaves keys and velocities as they are by default.
      #expect(number > last[event.sender!, default: 0], "sender \(event.sender!)")
      last[event.sender!] = number
    }
    #expect(last.count == 4)
  }

  @Test(arguments: [[1], [37], [64], [5, 700, 64]])
  func listsDoNotDependOnTheCut(cycles: [Int]) throws {
    for seed in 0..<10 as Range<UInt64> {
      #expect(
        try Self.flood(seed: seed, cycles: cycles) == Self.flood(seed: seed, cycles: [512]))
    }
  }
}
