import CSndFile
import Glibc

/// A sound file that is written while it is played, and can be read at any moment: its header is put
/// right and all is safe on the disk with every `sync`.
///
/// Of one thread at a time.
package final class RecordingFile {
  let path: String
  /// That are written.
  package private(set) var frames = 0

  private let file: OpaquePointer
  private let descriptor: Int32
  private let width: Int
  private let silence: [Float]
  private var isOpen = true

  private static let silenceFrames = 4096
  /// Those that can be read when they break off.
  private static let suffixes = ["wav", "w64", "caf", "aiff", "aif", "au", "flac"]

  package static func isThere(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Why nothing is recorded into a file that is there: what has been played is never played again.
  package static func isTaken(_ path: String) -> String {
    "\(path): there is a file of this name, and a recording takes the place of none"
  }

  /// - Throws: `SoundFileError` that names the file, with none left behind: also for one that is there
  ///   already.
  package init(
    path: String, channelCount: Int, sampleRate: Double, samples: SampleFormat?
  ) throws(SoundFileError) {
    let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard Self.suffixes.contains(suffix) else {
      throw SoundFileError(
        "\(path): a recording is one of \(Self.suffixes.joined(separator: ", ")), by its suffix")
    }
    let format = try SoundFileFormat(
      path: path, samples: samples ?? (suffix == "flac" ? .int24 : .float)
    ).ofUnknownLength
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw SoundFileError(
        errno == EEXIST ? Self.isTaken(path) : "\(path): \(String(cString: strerror(errno)))")
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
    let written = sf_writef_float(file, samples, sf_count_t(frames))
    self.frames += max(0, Int(written))
    guard written == sf_count_t(frames) else { throw failure(String(cString: sf_strerror(file))) }
  }

  package func writeSilence(frames: Int) throws(SoundFileError) {
    for start in stride(from: 0, to: frames, by: Self.silenceFrames) {
      let count = min(Self.silenceFrames, frames - start)
      try write(silence, frames: count)
    }
  }

  /// From here on the file can be read as far as it is written, whatever happens.
  package func sync() throws(SoundFileError) {
    errno = 0
    sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    guard fsync(descriptor) == 0 else { throw failure("") }
  }

  /// Nothing is written any more, and the file is whole.
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
