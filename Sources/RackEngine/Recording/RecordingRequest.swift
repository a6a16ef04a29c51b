import SoundFiles

/// What is to be recorded, and where to.
public struct RecordingRequest: Sendable, Equatable {
  /// Its suffix says the format. There must be no file of the name yet.
  public var path: String
  /// Ports, units and busses of units, by name; none for all outputs of the rack.
  public var sources: [String]
  /// Nil: float, or 24 bits where the format has no float.
  public var samples: SampleFormat?
  /// Where it began, and which of its files this is.
  private var first: String?
  private var part = 1

  public init(path: String, sources: [String] = [], samples: SampleFormat? = nil) {
    (self.path, self.sources, self.samples) = (path, sources, samples)
  }

  /// The same, into the next file that is not there: `take-2.wav` after `take.wav`. Numbers that are
  /// part of the name that was given, as in a date, are left alone.
  func next() -> RecordingRequest {
    var next = self
    let first = first ?? path
    next.first = first
    let name = first.lastIndex(of: "/").map { first.index(after: $0) } ?? first.startIndex
    let dot = first[name...].lastIndex(of: ".") ?? first.endIndex
    repeat {
      next.part += 1
      next.path = "\(first[..<dot])-\(next.part)\(first[dot...])"
    } while RecordingFile.isThere(next.path)
    return next
  }
}
