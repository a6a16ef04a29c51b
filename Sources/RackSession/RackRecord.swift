import Documents
import RackEngine
import RackModel

/// What a session knows of the file of a rack.
struct RackRecord {
  /// As it was read last. All that is written follows from this, so that what is undone is written
  /// again as it was.
  var base: CheckedRack
  /// What the file says by now: the same, or what has been written.
  var present: CheckedRack
  /// What the rack's ports were connected to when somebody wished that to be remembered.
  var connections: [String: [String]]?

  init(read rack: CheckedRack) { (base, present) = (rack, rack) }
}

/// What a session knows of the files of the racks that have played, each by any of its names.
struct RackRecords {
  /// By the places where the files lay when they were read.
  private var records: [String: RackRecord] = [:]
  /// By the names that they were read under.
  private var places: [String: String] = [:]

  subscript(name: String) -> RackRecord? {
    get { records[places[name] ?? name] }
    set { records[places[name] ?? name] = newValue }
  }

  /// Are both names of one file?
  func areOne(_ name: String, _ other: String) -> Bool {
    (places[name] ?? name) == (places[other] ?? other)
  }

  /// A rack has been read. Of a file that is as it was left, what is known stays.
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
