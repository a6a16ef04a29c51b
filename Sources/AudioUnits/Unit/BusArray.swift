import UnitModel

/// The input or the output busses of a unit; a view of them, which follows their changes.
///
/// To observe them is to observe the unit's `inputBusses` or `outputBusses`.
public struct BusArray: RandomAccessCollection, Sendable {
  public let ownerAudioUnit: AudioUnit
  public let busType: BusType

  public var startIndex: Int { 0 }
  public var endIndex: Int { ownerAudioUnit.busCount(busType) }

  public subscript(index: Int) -> Bus {
    precondition(indices.contains(index), "bus \(index) of \(count)")
    return Bus(ownerAudioUnit: ownerAudioUnit, busType: busType, index: index)
  }

  /// The bus of that name; nil where there is none.
  public subscript(named name: String) -> Bus? { first { $0.name == name } }

  /// May the number of busses be another?
  public var isCountChangeable: Bool { possibleCounts.count > 1 }

  /// The numbers of busses that the unit can have.
  public var possibleCounts: ClosedRange<Int> {
    let facts = ownerAudioUnit.facts
    return busType == .input
      ? facts.inputBusses.count...facts.maximumInputBusCount
      : facts.outputBusses.count...facts.outputBusses.count
  }

  /// Adds busses at the end or takes them away there; those that stay keep what they have.
  ///
  /// - Throws: `AudioUnitError` with the reason, and all is as before.
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
