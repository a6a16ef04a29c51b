/// A tempo map that converts ticks to seconds.
struct MIDITempoMap {
  private struct Stretch {
    var tick: Int
    var seconds: Double
    var secondsPerTick: Double
  }

  private var stretches: [Stretch]

  /// Creates a map with ticks of one length, as with a time code.
  init(secondsPerTick: Double) {
    stretches = [Stretch(tick: 0, seconds: 0, secondsPerTick: secondsPerTick)]
  }

  /// Creates a map of 120 quarter notes a minute up to the first tempo.
  ///
  /// - Parameter tempos: microseconds for each quarter note, in order of their ticks.
  init(ticksPerQuarter: Int, tempos: [MIDITrack.Event<Int>]) {
    func tickLength(_ microseconds: Int) -> Double {
      Double(microseconds) * 1e-6 / Double(ticksPerQuarter)
    }
    self.init(secondsPerTick: tickLength(500_000))
    for tempo in tempos {
      stretches.append(
        Stretch(
          tick: tempo.tick, seconds: seconds(atTick: tempo.tick),
          secondsPerTick: tickLength(tempo.content)))
    }
  }

  func seconds(atTick tick: Int) -> Double {
    var first = 0
    var end = stretches.count
    while end - first > 1 {
      let middle = (first + end) / 2
      if stretches[middle].tick <= tick { first = middle } else { end = middle }
    }
    let stretch = stretches[first]
    return stretch.seconds + Double(tick - stretch.tick) * stretch.secondsPerTick
  }
}
