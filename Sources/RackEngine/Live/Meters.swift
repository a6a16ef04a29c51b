/// The peaks of the rack's meters, by the identifiers of its units.
struct Meters {
  private var peaks = PeakHistory()
  /// The indices of the rack's units in the snapshot, by the units' identifiers.
  private var indices: [UInt32: Int] = [:]
  /// The number of channels of the inputs and the outputs.
  private var portCount = 0

  init() {}

  init(of units: [RackUnit], in snapshot: EngineSnapshot) {
    portCount = snapshot.inputs.count + snapshot.outputs.count
    peaks = PeakHistory(count: snapshot.meterCount)
    indices = Dictionary(
      uniqueKeysWithValues: units.enumerated().map { ($1.identifier, $0) })
  }

  /// Returns the index of a unit in the snapshot; nil if the rack does not have the unit.
  func index(ofUnit identifier: UInt32) -> Int? { indices[identifier] }

  mutating func add(_ peak: Float, ofPort index: Int) { peaks.add(peak, at: index) }

  mutating func add(_ peak: Float, ofUnit index: Int) {
    peaks.add(peak, at: portCount + index)
  }

  /// Ends the shortest interval that the peaks of a snapshot cover.
  mutating func endInterval(at time: Int64) { peaks.endInterval(at: time) }

  func peaks(since time: Int64?) -> [Float] { peaks.peaks(since: time) }
}
