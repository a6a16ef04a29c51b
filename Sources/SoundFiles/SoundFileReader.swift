import CSoundLibraries
import Documents
import Glibc

/// Reads a sound file once, block by block, resampled to a given rate.
package final class SoundFileReader {
  let path: String
  /// The number of channels.
  package let width: Int
  /// The length at the rendering's rate, frames. Lowered if the file ends before the length in its
  /// header.
  package private(set) var frameCount: Int
  /// Whether the file ended before the length in its header; for some formats known only at its end.
  package private(set) var isCutShort: Bool

  private let file: OpaquePointer
  private let ratio: Double
  /// The resampler; nil if the file already has the requested rate.
  private var resampler: OpaquePointer?
  /// The block being resampled; its frames from `taken` to `filled` remain.
  private var block: [Float] = []
  private var taken = 0
  private var filled = 0
  private var interleaved: [Float] = []
  private var position = 0

  private static let blockFrames = 4096

  /// The maximum length, frames, far beyond any recording; a header with more is wrong.
  private static let maximumFrames = Int64(1) << 40
  private static let sampleRates = Int32(1000)...768_000

  /// Returns the sample rate of a sound file, Hz.
  package static func sampleRate(ofFileAt path: String) throws(SoundFileError) -> Double {
    var info = SF_INFO()
    sf_close(try open(path, &info).file)
    return Double(info.samplerate)
  }

  /// Returns the number of channels of a sound file.
  package static func width(ofFileAt path: String) throws(SoundFileError) -> Int {
    var info = SF_INFO()
    sf_close(try open(path, &info).file)
    return Int(info.channels)
  }

  /// - Parameter sampleRate: the rate of the samples after resampling, Hz.
  /// - Throws: `SoundFileError` that names the file.
  package init(path: String, sampleRate: Double) throws(SoundFileError) {
    var info = SF_INFO()
    let (file, isUnfinished) = try Self.open(path, &info)
    self.path = path
    self.file = file
    width = Int(info.channels)
    ratio = sampleRate / Double(info.samplerate)
    frameCount = Int((Double(info.frames) * ratio).rounded())
    isCutShort = isUnfinished || Self.hasShortData(file)
    guard ratio != 1 else { return }
    guard src_is_valid_ratio(ratio) != 0 else {
      throw SoundFileError("\(path): its sample rate is too far from the rack's to be converted")
    }
    var error: Int32 = 0
    resampler = src_new(Int32(SRC_SINC_BEST_QUALITY), Int32(width), &error)
    guard resampler != nil else {
      throw SoundFileError("\(path): \(String(cString: src_strerror(error)))")
    }
    block = [Float](repeating: 0, count: Self.blockFrames * width)
  }

  deinit {
    if let resampler { src_delete(resampler) }
    sf_close(file)
  }

  /// Reads the next `frames` frames, channels × frames, with silence after the end. A mono file fills
  /// all channels.
  package func read(
    into channels: ArraySlice<UnsafeMutablePointer<Float>>, frames: Int
  ) throws(SoundFileError) {
    if interleaved.count < frames * width {
      interleaved = [Float](repeating: 0, count: frames * width)
    }
    let wanted = min(frames, max(0, frameCount - position))
    let read = resampler == nil ? readPlain(wanted) : try readResampled(wanted)
    position += read
    if read < wanted {
      guard position > 0 else {
        throw SoundFileError(
          "\(path): there is no sound in it: \(String(cString: sf_strerror(file)))")
      }
      isCutShort = true
      frameCount = position
    }
    for (index, channel) in channels.enumerated() {
      let own = width == 1 ? 0 : index
      for frame in 0..<read { channel[frame] = interleaved[frame * width + own] }
      (channel + read).update(repeating: 0, count: frames - read)
    }
  }

  private func readPlain(_ frames: Int) -> Int {
    max(0, Int(sf_readf_float(file, &interleaved, sf_count_t(frames))))
  }

  private func readResampled(_ frames: Int) throws(SoundFileError) -> Int {
    var made = 0
    while made < frames {
      if taken == filled {
        filled = max(0, Int(sf_readf_float(file, &block, sf_count_t(Self.blockFrames))))
        taken = 0
      }
      var data = SRC_DATA()
      data.src_ratio = ratio
      data.end_of_input = filled == 0 ? 1 : 0
      data.input_frames = filled - taken
      data.output_frames = frames - made
      let status = block.withUnsafeBufferPointer { input in
        interleaved.withUnsafeMutableBufferPointer { output in
          data.data_in = input.baseAddress.map { $0 + taken * width }
          data.data_out = output.baseAddress.map { $0 + made * width }
          return src_process(resampler, &data)
        }
      }
      guard status == 0 else {
        throw SoundFileError("\(path): \(String(cString: src_strerror(status)))")
      }
      taken += Int(data.input_frames_used)
      made += Int(data.output_frames_gen)
      if data.output_frames_gen == 0 && data.input_frames_used == 0 { break }
    }
    return made
  }

  private static func open(
    _ path: String, _ info: inout SF_INFO
  ) throws(SoundFileError) -> (file: OpaquePointer, isUnfinished: Bool) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var facts = stat()
    guard descriptor >= 0, fstat(descriptor, &facts) == 0 else {
      throw SoundFileError(
        "\(path): \(String(cString: strerror(errno)))\(FilePath.advice(on: path))")
    }
    if facts.st_mode & S_IFMT == S_IFDIR { throw SoundFileError("\(path): it is a folder") }
    if facts.st_mode & S_IFMT == S_IFREG && facts.st_size == 0 {
      throw SoundFileError("\(path): the file is empty")
    }
    var isUnfinished = false
    guard let file = bl_sound_open(descriptor, &info, &isUnfinished) else {
      throw SoundFileError(
        "\(path): cannot be read as a sound file: \(String(cString: sf_strerror(nil)))")
    }
    let problem: String? =
      if info.channels <= 0 || info.samplerate <= 0 || info.frames <= 0 {
        "there is no sound in it"
      } else if !sampleRates.contains(info.samplerate) {
        "its header says \(info.samplerate) Hz; sample rates are 1000 Hz to 768 kHz"
      } else if info.frames > maximumFrames {
        "its header says \(info.frames) frames, which cannot be true"
      } else { nil }
    if let problem {
      sf_close(file)
      throw SoundFileError("\(path): \(problem)")
    }
    return (file, isUnfinished)
  }

  /// Whether the header's length exceeds the file. libsndfile corrects it and reports it only in its
  /// log.
  private static func hasShortData(_ file: OpaquePointer) -> Bool {
    var log = [CChar](repeating: 0, count: 8192)
    let length = sf_command(file, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count - 1))
    let text = String(
      decoding: log.prefix(max(0, Int(length))).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: "\n").contains { line in
      let name = line.drop { $0 == " " }.prefix(4).lowercased()
      return (name == "data" || name == "ssnd") && line.contains("(should be")
    }
  }
}
