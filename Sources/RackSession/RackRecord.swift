import Documents
import RackEngine
import RackModel

/// The contents of a rack file as a session has read and written them.
struct RackRecord {
  /// The rack as it was read last. Every save starts from this text, so that undone changes leave it as it was.
  var base: CheckedRack
  /// The rack in the present file, as it was read or written last.
  var present: CheckedRack
  /// The connections of the rack's ports when they were last saved on request.
  var connections: [String: [String]]?

  init(read rack: CheckedRack) {
    (base, present) = (rack, rack)
    // A rack that was made in Swift has no bytes.
    if rack.bytes == nil { base.bytes = Array(rack.file.text.utf8) }
  }
}

/// The records of the racks that have played, found by any name of their files.
struct RackRecords {
  /// The records by resolved path.
  private var records: [String: RackRecord] = [:]
  /// The resolved paths by the names under which the files were read.
  private var places: [String: String] = [:]
  /// The contents of copies that the session has written, by resolved path.
  var copies: [String: [UInt8]] = [:]

  subscript(name: String) -> RackRecord? {
    get { records[places[name] ?? name] }
    set { records[places[name] ?? name] = newValue }
  }

  /// Whether both names belong to the same file.
  func areOne(_ name: String, _ other: String) -> Bool {
    (places[name] ?? name) == (places[other] ?? other)
  }

  /// Records a rack that was read. Keeps the former record if the file has not changed.
  mutating func add(_ read: CheckedRack) {
    let name = read.file.file
    let place = name.isEmpty ? name : FilePath.resolve(name) ?? name
    places[name] = place
    if let bytes = read.bytes, records[place]?.present.bytes == bytes {
      records[place]?.present.file.loadedAutomation = read.file.loadedAutomation
    } else {
      records[place] = RackRecord(read: read)
    }
  }
}
