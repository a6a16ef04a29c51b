import CExport
import CTestSupport
import Foundation
import Synchronization

/// The LV2 features of a host: URIDs, a stored state, a worker that runs after each `run`, and a
/// log. All tests share one state, so they run one at a time.
package enum LV2HostFeatures {
  private static let uris = Mutex<[String]>([])
  /// The stored state: texts and types by key.
  package static let stored = Mutex<[UInt32: (text: String, type: UInt32)]>([:])
  /// The data that the plug-in has scheduled for the worker.
  package static let work = Mutex<[[UInt8]]>([])
  /// Whether the worker accepts data.
  package static let hasRoom = Mutex(true)

  package static func number(_ uri: String) -> UInt32 {
    uris.withLock { uris in
      if let index = uris.firstIndex(of: uri) { return UInt32(index + 1) }
      uris.append(uri)
      return UInt32(uris.count)
    }
  }

  /// Returns the list of features, which is never freed.
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
      // lv2file 0.95 passes a feature without a URI.
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
    for (index, feature) in features.enumerated() {
      let memory = UnsafeMutablePointer<LV2_Feature>.allocate(capacity: 1)
      memory.initialize(to: feature)
      list[index] = UnsafePointer(memory)
    }
    return UnsafePointer(list)
  }

  /// The last line that a plug-in has logged, and the URI of its kind.
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
    /// The URI of the type.
    package var type: String
    package var bytes: [UInt8]

    static let atom = "http://lv2plug.in/ns/ext/atom#"
    package static let midiType = "http://lv2plug.in/ns/ext/midi#MidiEvent"

    package static func midi(_ bytes: [UInt8], at frame: Int = 0) -> Event {
      Event(frame: frame, type: midiType, bytes: bytes)
    }

    /// Returns a time:Position at frame 0 of a rolling transport; `tempo` in beats per minute.
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

    /// Returns a patch:Set of a path.
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

  /// Returns an atom sequence, 8-byte aligned as LV2 requires.
  package static func sequence(_ events: [Event]) -> [UInt64] {
    let body = events.flatMap { event in
      Event.padded(
        Event.numbers([UInt32(event.frame), 0, UInt32(event.bytes.count), number(event.type)])
          + event.bytes)
    }
    let bytes =
      Event.numbers([UInt32(8 + body.count), number(Event.atom + "Sequence"), 0, 0]) + body
    return stride(from: 0, to: bytes.count, by: 8).map { offset in
      bytes[offset..<(offset + 8)].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
  }

  /// Returns the MIDI messages of an atom sequence, with their frames.
  package static func messages(in sequence: [UInt64]) -> [(frame: Int, bytes: [UInt8])] {
    sequence.withUnsafeBytes { memory in
      let end = 8 + Int(memory.load(as: UInt32.self))
      var messages: [(Int, [UInt8])] = []
      var offset = 16
      while offset < end {
        let frame = Int(memory.load(fromByteOffset: offset, as: Int64.self))
        let size = Int(memory.load(fromByteOffset: offset + 8, as: UInt32.self))
        messages.append((frame, Array(memory[(offset + 16)..<(offset + 16 + size)])))
        offset += (16 + size + 7) & ~7
      }
      return messages
    }
  }
}
