/// The tempo and metre over a song, from its start on.
public struct TempoMap: Sendable, Equatable {
  /// A metre such as 6/8.
  public struct Metre: Sendable, Equatable {
    public var beatsPerBar: Int
    /// The note value of a beat: 4 for a quarter note.
    public var beatUnit: Int

    public init(_ beatsPerBar: Int, _ beatUnit: Int) {
      (self.beatsPerBar, self.beatUnit) = (beatsPerBar, beatUnit)
    }

    /// The number of beats in a quarter note.
    var beatsPerQuarter: Double { Double(beatUnit) / 4 }
  }

  /// The tempo, metre and beat at a position of the song, in the beats of its metre.
  public struct Position: Sendable, Equatable {
    /// The tempo, beats a minute.
    public var tempo: Double
    public var metre: Metre
    /// The number of beats since the start of the song.
    public var beat: Double
    /// The beat at which the current bar started.
    public var downbeat: Double
  }

  private struct Stretch: Equatable {
    var seconds: Double
    var quarters: Double
    /// The tempo, quarter notes a minute.
    var tempo: Double
    var metre: Metre
    /// The position from which bars are counted, quarter notes.
    var bar: Double
  }

  private var stretches: [Stretch]

  /// Creates a map of one tempo, quarter notes a minute, in 4/4.
  public init(tempo: Double) {
    stretches = [Stretch(seconds: 0, quarters: 0, tempo: tempo, metre: Metre(4, 4), bar: 0)]
  }

  /// Changes the tempo or metre from a position on, which is no earlier than those of former changes.
  ///
  /// - Parameters:
  ///   - quarters: the position, quarter notes from the start.
  ///   - tempo: quarter notes a minute, above 0.
  ///   - metre: the metre of the bars, which are counted anew from there.
  public mutating func change(at quarters: Double, tempo: Double? = nil, metre: Metre? = nil) {
    var stretch = stretches[stretches.count - 1]
    stretch.seconds += (quarters - stretch.quarters) * 60 / stretch.tempo
    stretch.quarters = quarters
    if let tempo { stretch.tempo = tempo }
    if let metre { (stretch.metre, stretch.bar) = (metre, quarters) }
    if stretches[stretches.count - 1].quarters == quarters { stretches.removeLast() }
    stretches.append(stretch)
  }

  /// Returns the position at a frame.
  public func position(atFrame frame: Int, sampleRate: Double) -> Position {
    let stretch = stretches[index(atFrame: frame, sampleRate)]
    let frames = Double(frame) - stretch.seconds * sampleRate
    let quarters = stretch.quarters + frames * stretch.tempo / (60 * sampleRate)
    let beats = stretch.metre.beatsPerQuarter
    let bar = Double(stretch.metre.beatsPerBar)
    let bars = ((quarters - stretch.bar) * beats / bar).rounded(.down)
    return Position(
      tempo: stretch.tempo * beats, metre: stretch.metre, beat: quarters * beats,
      downbeat: stretch.bar * beats + bars * bar)
  }

  /// Returns the first later frame from which another tempo or metre holds; nil where there is none.
  public func change(afterFrame frame: Int, sampleRate: Double) -> Int? {
    let next = index(atFrame: frame, sampleRate) + 1
    return next < stretches.count ? self.frame(of: stretches[next], sampleRate) : nil
  }

  /// Returns the time of a beat, seconds.
  func seconds(atBeat beat: Double) -> Double {
    let next = stretches.indices.dropFirst().first { index in
      stretches[index].quarters * stretches[index - 1].metre.beatsPerQuarter > beat
    }
    let stretch = stretches[(next ?? stretches.count) - 1]
    let quarters = max(beat / stretch.metre.beatsPerQuarter, stretch.quarters)
    return stretch.seconds + (quarters - stretch.quarters) * 60 / stretch.tempo
  }

  private func frame(of stretch: Stretch, _ sampleRate: Double) -> Int {
    Int(clamping: stretch.seconds * sampleRate)
  }

  private func index(atFrame frame: Int, _ sampleRate: Double) -> Int {
    var (first, end) = (0, stretches.count)
    while end - first > 1 {
      let middle = (first + end) / 2
      if self.frame(of: stretches[middle], sampleRate) <= frame {
        first = middle
      } else {
        end = middle
      }
    }
    return first
  }
}
