import SoundFiles

/// A source of the frames of an input port, read from start to end.
protocol OfflineSource: AnyObject {
  var frameCount: Int { get }
  /// Whether the source ended before the length that it declared.
  var isCutShort: Bool { get }
  /// Reads the next `frames` frames, channels × frames, with silence after the end.
  func read(
    into channels: ArraySlice<UnsafeMutablePointer<Float>>, frames: Int
  ) throws(SoundFileError)
}

extension SoundFileReader: OfflineSource {}

/// Reads a spool from its beginning.
final class SpoolReader: OfflineSource {
  private let spool: SoundSpool
  private var position = 0

  init(_ spool: SoundSpool) { self.spool = spool }

  var frameCount: Int { spool.frameCount }
  var isCutShort: Bool { false }

  func read(
    into channels: ArraySlice<UnsafeMutablePointer<Float>>, frames: Int
  ) throws(SoundFileError) {
    try spool.read(into: channels, from: position, frames: frames)
    position += frames
  }
}

/// A destination of the frames of an output port.
protocol OfflineDestination: AnyObject {
  /// Appends channels × frames.
  func write(_ channels: [UnsafeBufferPointer<Float>]) throws(SoundFileError)
}

extension SoundFileWriter: OfflineDestination {}
extension SoundSpool: OfflineDestination {}
