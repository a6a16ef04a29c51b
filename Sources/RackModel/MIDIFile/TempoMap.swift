/// Tempo and metre over a song, from its beginning on.
public struct TempoMap: Sendable, Equatable {
  /// As in 6/8.
  public struct Metre: Sendable, Equatable {
    public var beatsPerBar: Int
    /// 4 where a beat is a quarter note.
    public var beatUnit: Int

    public init(_ beatsPerBar: Int, _ beatUnit: Int) {
      (self.beatsPerBar, self.beatUnit) = (beatsPerBar, beatUnit)
    }

    /// Of a quarter note.
    var beatsPerQuarter: Double { Double(beatUnit) / 4 }
  }

  /// Where the song stands; all but the metre in its beats.
  public struct Position: Sendable, Equatable {
    /// Beats a minute.
    public var tempo: Double
    public var metre: Metre
    /// Beats since the beginning.
    public var beat: Double
    /// The beat at which the present bar began.
    public var downbeat: Double
  }

  private struct Stretch: Equatable {
    var seconds: Double
    var quarters: Double
    /// Quarter notes a minute.
    var tempo: Double
    var metre: Metre
    /// Where the bars are counted from, quarter notes.
    var bar: Double
  }

  private var stretches: [Stretch]

  /// One tempo throughout, quarter notes a minute, in 4/4.
  public init(tempo: Double) {
    stretches = [Stretch(seconds: 0, quarters: 0, tempo: tempo, metre: Metre(4, 4), bar: 0)]
  }

  /// Has another tempo or metre hold from a place on, which is no earlier than those before.
  ///
  /// - Parameters:
  ///   - quarters: the place, quarter notes from the beginning.
  ///   - tempo: quarter notes a minute, above 0.
  ///   - metre: of the bars, which begin anew there.
  public mutating func change(at quarters: Double, tempo: Double? = nil, metre: Metre? = nil) {
    var stretch = stretches[stretches.count - 1]
    stretch.seconds += (quarters - stretch.quarters) * 60 / stretch.tempo
    stretch.quarters = quarters
    if let tempo { stretch.tempo = tempo }
    if let metre { (stretch.metre, stretch.bar) = (metre, quarters) }
    if stretches[stretches.count - 1].quarters == quarters { stretches.removeLast() }
    stretches.append(stretch)
  }

  /// Where the song stands at a frame.
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

  /// The first frame after this one from which another tempo or metre holds; nil where none does.
  public func change(afterFrame frame: Int, sampleRate: Double) -> Int? {
    let next = index(atFrame: frame, sampleRate) + 1
    return next < stretches.count ? self.frame(of: stretches[next], sampleRate) : nil
  }

  /// When a beat is reached. Seconds
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
