import CExport
import CTestSupport
import Foundation
import Synchronization

/// What a host offers a plug-in: numbers for URIs, a state to save into, and a worker that works at
/// once. One state for all tests, which therefore run one at a time.
package enum LV2HostFeatures {
  private static let uris = Mutex<[String]>([])
  /// Texts by key.
  package static let stored = Mutex<[UInt32: (text: String, type: UInt32)]>([:])
  /// What the plug-in has given the worker.
  package static let work = Mutex<[[UInt8]]>([])
  /// Whether the worker takes anything.
  package static let hasRoom = Mutex(true)

  package static func number(_ uri: String) -> UInt32 {
    uris.withLock { uris in
      if let place = uris.firstIndex(of: uri) { return UInt32(place + 1) }
      uris.append(uri)
      return UInt32(uris.count)
    }
  }

  /// The list of features, which stays for good.
  package static func list() -> UnsafePointer<UnsafePointer<LV2_Feature>?> {
    let map = UnsafeMutablePointer<LV2_URID_Map>.allocate(capacity: 1)
    map.initialize(
      to: LV2_URID_Map(
        handle: nil,
        map: { _, uri in LV2HostFeatures.number(uri.map { String(cString: $0) } ?? "") }))
    let schedule = UnsafeMutablePointer<LV2_Worker_Schedule>.allocate(capacity: 1)
    schedule.initialize(
      to: LV2_Worker_Schedule(
        handle: nil,
        schedule_work: { _, size, data in
          guard LV2HostFeatures.hasRoom.withLock({ $0 }) else { return LV2_WORKER_ERR_NO_SPACE }
          let bytes = Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
          LV2HostFeatures.work.withLock { $0.append(bytes) }
          return LV2_WORKER_SUCCESS
        }))
    let features = [
      // As lv2file 0.95 has it.
      LV2_Feature(URI: nil, data: nil),
      LV2_Feature(URI: strdup("http://lv2plug.in/ns/ext/urid#map"), data: map),
      LV2_Feature(URI: strdup("http://lv2plug.in/ns/ext/worker#schedule"), data: schedule),
      LV2_Feature(
        URI: strdup("http://lv2plug.in/ns/ext/log#log"),
        data: UnsafeMutableRawPointer(mutating: lv2_log_probe())),
    ]
    let list = UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>.allocate(
      capacity: features.count + 1)
    list.initialize(repeating: nil, count: features.count + 1)
    for (place, feature) in features.enumerated() {
      let memory = UnsafeMutablePointer<LV2_Feature>.allocate(capacity: 1)
      memory.initialize(to: feature)
      list[place] = UnsafePointer(memory)
    }
    return UnsafePointer(list)
  }

  /// The line that a plug-in has logged last, and the URI of its kind.
  package static var loggedLine: (text: String, kind: String) {
    let kind = Int(lv2_log_probe_type())
    return (
      String(cString: lv2_log_probe_text()),
      uris.withLock { kind > 0 && kind <= $0.count ? $0[kind - 1] : "" }
    )
  }

  /// An event of an atom sequence.
  package struct Event {
    package var frame = 0
    /// A URI.
    package var type: String
    package var bytes: [UInt8]

    static let atom = "http://lv2plug.in/ns/ext/atom#"
    package static let midiType = "http://lv2plug.in/ns/ext/midi#MidiEvent"

    package static func midi(_ bytes: [UInt8], at frame: Int = 0) -> Event {
      Event(frame: frame, type: midiType, bytes: bytes)
    }

    /// The host's time: it rolls from the start, with so many beats a minute.
    package static func position(tempo: Float) -> Event {
      let time = "http://lv2plug.in/ns/ext/time#"
      return object(
        time + "Position",
        [
          (time + "speed", "Float", numbers([Float(1).bitPattern])),
          (time + "beatsPerMinute", "Float", numbers([tempo.bitPattern])),
          (time + "bar", "Long", numbers([0, 0])),
          (time + "barBeat", "Float", numbers([0])),
          (time + "frame", "Long", numbers([0, 0])),
        ])
    }

    /// A patch:Set of a path.
    package static func setting(_ key: String, to path: String) -> Event {
      let patch = "http://lv2plug.in/ns/ext/patch#"
      return object(
        patch + "Set",
        [
          (patch + "property", "URID", numbers([number(key)])),
          (patch + "value", "Path", Array(path.utf8) + [0]),
        ])
    }

    private static func object(
      _ type: String, _ members: [(key: String, type: String, value: [UInt8])]
    ) -> Event {
      let body = members.flatMap { key, type, value in
        padded(numbers([number(key), 0, UInt32(value.count), number(atom + type)]) + value)
      }
      return Event(type: atom + "Object", bytes: numbers([0, number(type)]) + body)
    }

    fileprivate static func numbers(_ values: [UInt32]) -> [UInt8] {
      values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    }

    fileprivate static func padded(_ bytes: [UInt8]) -> [UInt8] {
      bytes + Array(repeating: 0, count: (8 - bytes.count % 8) % 8)
    }
  }

  /// An atom sequence, aligned as atoms are.
  package static func sequence(_ events: [Event]) -> [UInt64] {
    let body = events.flatMap { event in
      Event.padded(
        Event.numbers([UInt32(event.frame), 0, UInt32(event.bytes.count), number(event.type)])
          + event.bytes)
    }
    let bytes =
      Event.numbers([UInt32(8 + body.count), number(Event.atom + "Sequence"), 0, 0]) + body
    return stride(from: 0, to: bytes.count, by: 8).map { place in
      bytes[place..<(place + 8)].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
  }

  /// The MIDI messages of an atom sequence, with their frames.
  package static func messages(in sequence: [UInt64]) -> [(frame: Int, bytes: [UInt8])] {
    sequence.withUnsafeBytes { memory in
      let end = 8 + Int(memory.load(as: UInt32.self))
      var messages: [(Int, [UInt8])] = []
      var place = 16
      while place < end {
        let frame = Int(memory.load(fromByteOffset: place, as: Int64.self))
        let size = Int(memory.load(fromByteOffset: place + 8, as: UInt32.self))
        messages.append((frame, Array(memory[(place + 16)..<(place + 16 + size)])))
        place += (16 + size + 7) & ~7
      }
      return messages
    }
  }
}
