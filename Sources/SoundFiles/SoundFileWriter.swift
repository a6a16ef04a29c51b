import CSoundLibraries
import Documents
import Glibc

/// Writes a sound file whole or not at all: into a temporary file beside it, which is renamed once
/// it is flushed to the disk. If the name is a link, its target is replaced, and keeps its mode and
/// owner.
package final class SoundFileWriter {
  package let path: String
  /// The number of samples beyond full scale that the format had to clip.
  package private(set) var clippedSamples = 0

  /// The file's path with links resolved.
  package let place: String
  package let temporaryPath: String
  private let file: OpaquePointer
  private var encoder: SampleEncoder
  private let descriptor: Int32
  private let format: SoundFileFormat
  private let width: Int
  private var interleaved: [Float] = []
  private var isOpen = true
  /// Whether the temporary file is complete.
  private var isComplete = false

  /// - Throws: `SoundFileError` that names the file, and the known formats.
  package init(
    path: String, channelCount: Int, sampleRate: Double, samples: SampleFormat?,
    isDithered: Bool? = nil
  ) throws(SoundFileError) {
    let format = try SoundFileFormat(
      path: path, samples: samples ?? .default(for: path), isDithered: isDithered)
    if let rate = Int(exactly: sampleRate.rounded()), let reason = format.refusal(of: rate) {
      throw SoundFileError("\(path): \(reason)")
    }
    // Check now, or this error would come after the whole rendering.
    var present = stat()
    guard stat(path, &present) != 0 || present.st_mode & S_IFMT == S_IFREG else {
      throw SoundFileError("\(path): it exists and is not a regular file")
    }
    self.path = path
    self.format = format
    encoder = format.encoder
    width = channelCount
    guard let place = FilePath.resolve(path) else {
      throw SoundFileError("\(path): \(String(cString: strerror(errno)))")
    }
    self.place = place
    (temporaryPath, descriptor) = Self.openTemporary(beside: place)
    guard descriptor >= 0 else {
      throw SoundFileError("\(path): \(String(cString: strerror(errno)))")
    }
    do {
      file = try format.open(
        descriptor, path: path, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      close(descriptor)
      unlink(temporaryPath)
      throw error
    }
  }

  deinit { discard() }

  /// Creates a new file, never opening an existing one; returns a negative descriptor on failure.
  private static func openTemporary(beside place: String) -> (path: String, descriptor: Int32) {
    var result = (path: "", descriptor: Int32(-1))
    for attempt in 0..<100 {
      result.path = "\(place).\(getpid())\(attempt == 0 ? "" : "-\(attempt)").partial"
      result.descriptor = FilePermissions.create(result.path, inPlaceOf: place, flags: O_RDWR)
      if result.descriptor >= 0 || errno != EEXIST { break }
    }
    return result
  }

  /// Appends channels × frames.
  package func write(_ channels: [UnsafeBufferPointer<Float>]) throws(SoundFileError) {
    let frames = channels.first?.count ?? 0
    if interleaved.count < frames * width {
      interleaved = [Float](repeating: 0, count: frames * width)
    }
    let fullScale = Float(1).bitPattern
    interleaved.withUnsafeMutableBufferPointer { interleaved in
      for (index, channel) in channels.enumerated() {
        var clipped = 0
        for frame in 0..<frames {
          interleaved[frame &* width &+ index] = channel[frame]
          clipped &+= channel[frame].magnitude.bitPattern > fullScale ? 1 : 0
        }
        if format.clips { clippedSamples += clipped }
      }
    }
    errno = 0
    guard encoder.write(interleaved, frames: frames, channels: width, to: file) == frames else {
      throw failure(String(cString: sf_strerror(file)))
    }
  }

  /// Completes the temporary file and syncs it to the disk.
  package func complete() throws(SoundFileError) {
    // libsndfile writes its last block now and does not always report a failure; fsync does.
    errno = 0
    isOpen = false
    let status = sf_close(file)
    guard status == 0, fsync(descriptor) == 0 else {
      let error = failure(String(cString: sf_error_number(status)))
      close(descriptor)
      unlink(temporaryPath)
      throw error
    }
    close(descriptor)
    isComplete = true
  }

  /// Removes the temporary file unless it has been renamed.
  private func discard() {
    if isOpen {
      sf_close(file)
      close(descriptor)
    }
    if isOpen || isComplete { unlink(temporaryPath) }
  }

  private func failure(_ reason: String) -> SoundFileError {
    let reason = errno != 0 ? String(cString: strerror(errno)) : reason
    return SoundFileError("\(path): cannot be written: \(reason); nothing of it is kept")
  }
}
