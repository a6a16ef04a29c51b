import UnitModel

/// The input or the output busses of a unit: a view that follows their changes.
///
/// Observe the unit's `inputBusses` or `outputBusses` to observe them.
public struct BusArray: RandomAccessCollection, Sendable {
  public let ownerAudioUnit: AudioUnit
  public let busType: BusType

  public var startIndex: Int { 0 }
  public var endIndex: Int { ownerAudioUnit.busCount(busType) }

  public subscript(index: Int) -> Bus {
    precondition(indices.contains(index), "bus \(index) of \(count)")
    return Bus(ownerAudioUnit: ownerAudioUnit, busType: busType, index: index)
  }

  /// Returns the bus of that name, or nil.
  public subscript(named name: String) -> Bus? { first { $0.name == name } }

  /// Whether the number of busses can change.
  public var isCountChangeable: Bool { possibleCounts.count > 1 }

  /// The possible numbers of busses.
  public var possibleCounts: ClosedRange<Int> {
    let facts = ownerAudioUnit.facts
    return busType == .input
      ? facts.inputBusses.count...facts.maximumInputBusCount
      : facts.outputBusses.count...facts.outputBusses.count
  }

  /// Adds or removes busses at the end; the others keep their settings.
  ///
  /// - Throws: `AudioUnitError` with the reason; then nothing changes.
  public func setBusCount(_ count: Int) throws(AudioUnitError) {
    guard possibleCounts.contains(count) else {
      let range = possibleCounts
      let possible =
        isCountChangeable
        ? "\(range.lowerBound) to \(range.upperBound)" : "just \(range.lowerBound)"
      throw ownerAudioUnit.error("it has \(possible) \(busType) busses, not \(count)")
    }
    try ownerAudioUnit.changeBusCount(to: count)
  }
}
