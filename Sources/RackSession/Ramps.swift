import RackModel
import UnitModel

/// A ramp of a parameter to a value. A set, a scene or MIDI ends the ramp.
struct Ramp {
  var path: ParameterPath
  let address: UInt64
  /// The value at the end of the segment that was sent last.
  var value: Float
  var curve: ParameterInfo?
  var from: Float
  var to: Float
  let start = ContinuousClock.now
  let duration: Duration
  var task: Task<Void, Never>?

  /// The value at this moment of the ramp.
  var present: Float {
    let share = min(max((ContinuousClock.now - start) / duration, 0), 1)
    return curve?.value(from: from, to: to, share: share) ?? from + (to - from) * Float(share)
  }
}

/// The running ramps, each with a number that is not used again.
struct Ramps {
  private var ramps: [Int: Ramp] = [:]
  private var lastNumber = 0

  var all: some Collection<Ramp> { ramps.values }

  subscript(path: ParameterPath) -> Ramp? { ramps.values.first { $0.path == path } }

  subscript(number: Int) -> Ramp? {
    get { ramps[number] }
    set { ramps[number] = newValue }
  }

  /// Adds a ramp; returns its number.
  mutating func add(_ ramp: Ramp) -> Int {
    lastNumber += 1
    ramps[lastNumber] = ramp
    return lastNumber
  }

  /// Ends the ramps of the parameters for which `isMeant` returns true.
  mutating func end(where isMeant: (ParameterPath) -> Bool) {
    for (number, ramp) in ramps where isMeant(ramp.path) {
      ramp.task?.cancel()
      ramps[number] = nil
    }
  }

  /// Gives the ramps of renamed units the new names.
  mutating func rename(_ names: [String: String]) {
    for (number, ramp) in ramps {
      ramps[number]?.path.unit = names[ramp.path.unit] ?? ramp.path.unit
    }
  }
}
