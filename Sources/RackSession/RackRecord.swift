import Documents
import RackEngine
import RackModel

/// The file of a rack, as a session has read and written it.
struct RackRecord {
  /// The rack as it was read last. Every save starts from it, so that undone changes are written as they were.
  var base: CheckedRack
  /// The present contents of the file: as read, or as written last.
  var present: CheckedRack
  /// The connections of the rack's ports when they were last saved on request.
  var connections: [String: [String]]?

  init(read rack: CheckedRack) {
    (base, present) = (rack, rack)
    // Of a rack that was made in Swift.
    if rack.bytes == nil { base.bytes = Array(rack.file.text.utf8) }
  }
}

/// The files of the racks that have played, found by any of their names.
struct RackRecords {
  /// By resolved path.
  private var records: [String: RackRecord] = [:]
  /// Resolved paths, by the names that the files were read under.
  private var places: [String: String] = [:]

  subscript(name: String) -> RackRecord? {
    get { records[places[name] ?? name] }
    set { records[places[name] ?? name] = newValue }
  }

  /// Whether both names belong to the same file.
  func areOne(_ name: String, _ other: String) -> Bool {
    (places[name] ?? name) == (places[other] ?? other)
  }

  /// Records a rack that was read. If its file has not changed, the record stays.
  mutating func note(_ read: CheckedRack) {
    let name = read.file.file
    let place = name.isEmpty ? name : FilePlace.resolve(name) ?? name
    places[name] = place
    if let bytes = read.bytes, records[place]?.present.bytes == bytes {
      records[place]?.present.file.loadedAutomation = read.file.loadedAutomation
    } else {
      records[place] = RackRecord(read: read)
    }
  }
}
