import Glibc

/// Sound in unnamed temporary files: written once from its beginning, then read at random.
///
/// It takes four bytes per sample in a folder and hardly any memory. The files vanish with this object,
/// even if the program is killed.
///
/// Used by one thread at a time.
package final class SoundSpool {
  /// The number of frames written so far.
  package private(set) var frameCount = 0

  private let folder: String
  /// The files' descriptors, one per channel.
  private var descriptors: [Int32] = []

  /// - Parameter folder: the folder of the files.
  /// - Throws: `SoundFileError` that names the folder.
  package init(folder: String, channelCount: Int) throws(SoundFileError) {
    self.folder = folder
    for _ in 0..<channelCount {
      let path = "\(folder)/.backline-\(getpid())-\(UInt64.random(in: 0 ... .max))"
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw failure() }
      descriptors.append(descriptor)
      unlink(path)
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  private func failure() -> SoundFileError {
    SoundFileError(
      "\(folder): the sound between two parts of the rendering cannot be kept there: "
        + String(cString: strerror(errno)))
  }

  /// Appends channels × frames.
  package func write(_ channels: [UnsafeBufferPointer<Float>]) throws(SoundFileError) {
    for (descriptor, channel) in zip(descriptors, channels) {
      var left = UnsafeRawBufferPointer(channel)
      while let start = left.baseAddress, left.count > 0 {
        let written = Glibc.write(descriptor, start, left.count)
        guard written > 0 || errno == EINTR else { throw failure() }
        left = UnsafeRawBufferPointer(rebasing: left.dropFirst(max(0, written)))
      }
    }
    frameCount += channels.first?.count ?? 0
  }

  /// Reads channels × frames from frame `first` on, with silence before the beginning and after the end.
  package func read(
    into channels: some Sequence<UnsafeMutablePointer<Float>>, from first: Int, frames count: Int
  ) throws(SoundFileError) {
    let missing = min(max(-first, 0), count)
    let present = min(max(frameCount - max(first, 0), 0), count - missing)
    let size = MemoryLayout<Float>.stride
    for (descriptor, channel) in zip(descriptors, channels) {
      channel.update(repeating: 0, count: missing)
      (channel + missing + present).update(repeating: 0, count: count - missing - present)
      var done = 0
      while done < present * size {
        let read = pread(
          descriptor, UnsafeMutableRawPointer(channel + missing) + done, present * size - done,
          off_t((first + missing) * size + done))
        guard read > 0 || errno == EINTR else { throw failure() }
        done += max(0, read)
      }
    }
  }
}
