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
