import AudioUnits
import UnitModel

extension Engine {
  /// Lets a unit of the rack travel to a state's values, over so many seconds from now on.
  ///
  /// - Throws: `RackError` where the rack has no such unit or the time is none (0 to 86400 s),
  ///   `AudioUnitError` where the state is not the unit's.
  public func morph(_ unit: String, to state: UnitState, over seconds: Double) throws {
    guard (0...86_400).contains(seconds) else {
      throw RackError("\(seconds) seconds are no time to travel in")
    }
    takeReports()
    guard let found = rack?.units.first(where: { $0.name == unit }) else {
      throw RackError("there is no unit \(unit)")
    }
    // What is known of the kernel's time is a report old; a beginning that has passed would cut the
    // first ramps short.
    let start = snapshot.sampleTime + Int64(0.1 * snapshot.sampleRate)
    try found.audioUnit.morph(
      to: state, from: start, frames: Int(seconds * snapshot.sampleRate))
  }
}
