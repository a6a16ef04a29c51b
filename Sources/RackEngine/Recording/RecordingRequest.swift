/// What is to be recorded, and where to.
public struct RecordingRequest: Sendable {
  /// Its suffix says the format. There must be no file of the name yet.
  public var path: String
  /// Ports, units and busses of units, by name; none for all outputs of the rack.
  public var sources: [String]
  /// Nil: float, or 24 bits where the format has no float.
  public var samples: SampleFormat?

  public init(path: String, sources: [String] = [], samples: SampleFormat? = nil) {
    (self.path, self.sources, self.samples) = (path, sources, samples)
  }

  /// The same, into the next file that is not there: `take-2.wav` after `take.wav`.
  func next() -> RecordingRequest {
    let dot = path.lastIndex(of: ".") ?? path.endIndex
    var (stem, number) = (path[..<dot], 1)
    if let dash = stem.lastIndex(of: "-"), let last = Int(stem[stem.index(after: dash)...]) {
      (stem, number) = (stem[..<dash], last)
    }
    var next = self
    repeat {
      number += 1
      next.path = "\(stem)-\(number)\(path[dot...])"
    } while RecordingFile.isThere(next.path)
    return next
  }
}
