import CSoundLibraries
import Glibc

/// A sound file that can be read while it is being recorded: each `sync` updates its header and
/// flushes it to the disk.
///
/// Used by one thread at a time.
package final class RecordingFile {
  let path: String
  /// The number of frames written so far.
  package private(set) var frames = 0

  private let file: OpaquePointer
  private var encoder: SampleEncoder
  private let descriptor: Int32
  private let width: Int
  private let silence: [Float]
  private var isOpen = true

  private static let silenceFrames = 4096
  /// The suffixes of formats that stay readable if they are truncated.
  private static let suffixes = ["wav", "w64", "caf", "aiff", "aif", "au", "flac"]

  package static func exists(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Returns the message for an existing file, which a recording never replaces: a performance cannot
  /// be repeated.
  package static func reasonNotToReplace(_ path: String) -> String {
    "\(path): there is already a file of this name, and a recording replaces none"
  }

  /// - Throws: `SoundFileError` that names the file, also if the file already exists; no file is left
  ///   behind.
  package init(
    path: String, channelCount: Int, sampleRate: Double, samples: SampleFormat?
  ) throws(SoundFileError) {
    let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard Self.suffixes.contains(suffix) else {
      throw SoundFileError(
        "\(path): a recording is one of \(Self.suffixes.joined(separator: ", ")), by its suffix")
    }
    let format = try SoundFileFormat(path: path, samples: samples ?? .default(for: path))
      .ofUnknownLength
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw SoundFileError(
        errno == EEXIST
          ? Self.reasonNotToReplace(path) : "\(path): \(String(cString: strerror(errno)))")
    }
    do {
      file = try format.open(
        descriptor, path: path, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      close(descriptor)
      unlink(path)
      throw error
    }
    (self.path, self.descriptor, width) = (path, descriptor, channelCount)
    encoder = format.encoder
    silence = [Float](repeating: 0, count: Self.silenceFrames * channelCount)
  }

  deinit {
    if isOpen {
      sf_close(file)
      close(descriptor)
    }
  }

  /// Appends frames × channels.
  package func write(_ samples: UnsafePointer<Float>, frames: Int) throws(SoundFileError) {
    errno = 0
    let written = encoder.write(samples, frames: frames, channels: width, to: file)
    self.frames += max(0, written)
    guard written == frames else { throw failure(String(cString: sf_strerror(file))) }
  }

  package func writeSilence(frames: Int) throws(SoundFileError) {
    for start in stride(from: 0, to: frames, by: Self.silenceFrames) {
      let count = min(Self.silenceFrames, frames - start)
      try write(silence, frames: count)
    }
  }

  /// Makes everything written so far readable, even after a power failure.
  package func sync() throws(SoundFileError) {
    errno = 0
    sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    guard fsync(descriptor) == 0 else { throw failure("") }
  }

  /// Completes and closes the file.
  package func finish() throws(SoundFileError) {
    guard isOpen else { return }
    isOpen = false
    errno = 0
    let status = sf_close(file)
    let problem = status == 0 && fsync(descriptor) == 0 ? nil : failure("")
    close(descriptor)
    if let problem { throw problem }
  }

  private func failure(_ reason: String) -> SoundFileError {
    SoundFileError("\(path): \(errno != 0 ? String(cString: strerror(errno)) : reason)")
  }
}
