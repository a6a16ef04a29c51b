import Documents
import Glibc
import SoundFiles

/// A request for a recording: its file, sources and format.
public struct RecordingRequest: Sendable, Equatable {
  /// The path of the file, whose suffix names the format. The file must not exist.
  public var path: String
  /// The names of ports, units and busses of units; empty for all outputs of the rack.
  public var sources: [String]
  /// The sample format; nil for float, or 24 bits where the format has no float.
  public var samples: SampleFormat?
  /// The path of the first file of this recording, and the number of this file.
  private var first: String?
  private var part = 1

  public init(path: String, sources: [String] = [], samples: SampleFormat? = nil) {
    (self.path, self.sources, self.samples) = (path, sources, samples)
  }

  /// Returns the same request, or if its file exists, the next request with a free name.
  public func withFreeName() -> RecordingRequest { RecordingFile.exists(path) ? next() : self }

  /// Returns the same request with the next free name: `take-2.wav` after `take.wav`. Numbers in the given
  /// name, as in a date, are left alone.
  func next() -> RecordingRequest {
    var next = self
    let first = first ?? path
    next.first = first
    let dot = FilePath.name(of: first).lastIndex(of: ".") ?? first.endIndex
    repeat {
      next.part += 1
      next.path = "\(first[..<dot])-\(next.part)\(first[dot...])"
    } while RecordingFile.exists(next.path)
    return next
  }

  /// Returns a file name from the rack and the local time: `Parallel 2026-03-01 20.15.00.wav`.
  package static func defaultName(ofRack rack: String) -> String {
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H.%M.%S", &parts)
    let stamp = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(rack.replacing("/", with: "_")) \(stamp).wav"
  }
}
