import CExport
import Foundation
import Synchronization

/// What a host offers a plug-in: numbers for URIs, a state to save into, and a worker that works at
/// once. One state for all tests, which therefore run one at a time.
enum LV2HostFeatures {
  private static let uris = Mutex<[String]>([])
  /// Texts by key.
  static let stored = Mutex<[UInt32: (text: String, type: UInt32)]>([:])
  /// What the plug-in has given the worker.
  static let work = Mutex<[[UInt8]]>([])

  static func number(_ uri: String) -> UInt32 {
    uris.withLock { uris in
      if let place = uris.firstIndex(of: uri) { return UInt32(place + 1) }
      uris.append(uri)
      return UInt32(uris.count)
    }
  }

  /// The list of features, which stays for good.
  static func list() -> UnsafePointer<UnsafePointer<LV2_Feature>?> {
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
          let bytes = Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
          LV2HostFeatures.work.withLock { $0.append(bytes) }
          return LV2_WORKER_SUCCESS
        }))
    let features = UnsafeMutablePointer<LV2_Feature>.allocate(capacity: 2)
    (features + 0).initialize(
      to: LV2_Feature(URI: strdup("http://lv2plug.in/ns/ext/urid#map"), data: map))
    (features + 1).initialize(
      to: LV2_Feature(URI: strdup("http://lv2plug.in/ns/ext/worker#schedule"), data: schedule))
    let list = UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>.allocate(capacity: 3)
    list.initialize(repeating: nil, count: 3)
    (list[0], list[1]) = (UnsafePointer(features), UnsafePointer(features + 1))
    return UnsafePointer(list)
  }

  /// An atom sequence with one patch:Set of a path at frame 0, and the padding that atoms have.
  static func message(setting key: String, to path: String) -> [UInt64] {
    var text = Array(path.utf8) + [0]
    let size = text.count
    while text.count % 8 != 0 { text.append(0) }
    func numbers(_ values: [UInt32]) -> [UInt8] {
      values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    }
    let atom = "http://lv2plug.in/ns/ext/atom#"
    let patch = "http://lv2plug.in/ns/ext/patch#"
    let object =
      numbers([0, number(patch + "Set")])
      + numbers([number(patch + "property"), 0, 4, number(atom + "URID"), number(key), 0])
      + numbers([number(patch + "value"), 0, UInt32(size), number(atom + "Path")]) + text
    let event = numbers([0, 0, UInt32(object.count), number(atom + "Object")]) + object
    let bytes =
      numbers([UInt32(8 + event.count), number(atom + "Sequence"), 0, 0]) + event
    return stride(from: 0, to: bytes.count, by: 8).map { place in
      bytes[place..<(place + 8)].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
  }
}
