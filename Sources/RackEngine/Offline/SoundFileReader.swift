import CSampleRate
import CSndFile
import Glibc

/// A sound file read as a whole, at the rate asked for.
///
/// Offline inputs are a performance's length, so memory holds them; what loops and streams is the
/// player unit's business.
struct SoundFileReader {
  /// channels × frames; at least one of each.
  let channels: [[Float]]
  /// As the file has it, Hz.
  let fileRate: Double
  /// Does the file end before it says it does?
  let isCutShort: Bool

  var frameCount: Int { channels.first?.count ?? 0 }

  /// The rate of a sound file, Hz.
  static func sampleRate(ofFileAt path: String) throws(RackError) -> Double {
    var info = SF_INFO()
    let file = try open(path, &info)
    sf_close(file)
    return Double(info.samplerate)
  }

  /// - Parameter sampleRate: what the samples are resampled to, Hz; nil leaves them as they are.
  /// - Throws: `RackError` that names the file.
  init(path: String, sampleRate: Double?) throws(RackError) {
    var info = SF_INFO()
    let file = try Self.open(path, &info)
    defer { sf_close(file) }
    let width = Int(info.channels)
    var interleaved: [Float] = []
    var block = [Float](repeating: 0, count: 16_384 * width)
    while true {
      let read = Int(sf_readf_float(file, &block, 16_384))
      guard read > 0 else { break }
      interleaved += block[..<(read * width)]
    }
    guard sf_error(file) == Int32(SF_ERR_NO_ERROR) else {
      throw RackError("\(path): \(String(cString: sf_strerror(file)))")
    }
    guard !interleaved.isEmpty else { throw RackError("\(path): there is no sound in it") }
    fileRate = Double(info.samplerate)
    isCutShort = interleaved.count / width != Int(info.frames) || Self.hasShortData(file)
    if let sampleRate, sampleRate != fileRate {
      interleaved = try Self.resample(
        interleaved, width: width, ratio: sampleRate / fileRate, path: path)
    }
    let frames = interleaved.count / width
    channels = (0..<width).map { channel in
      (0..<frames).map { interleaved[$0 * width + channel] }
    }
  }

  private static func open(_ path: String, _ info: inout SF_INFO) throws(RackError) -> OpaquePointer
  {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      throw RackError("\(path): \(String(cString: strerror(errno)))")
    }
    if facts.st_mode & S_IFMT == S_IFDIR { throw RackError("\(path): it is a folder") }
    if facts.st_mode & S_IFMT == S_IFREG && facts.st_size == 0 {
      throw RackError("\(path): the file is empty")
    }
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw RackError(
        "\(path): cannot be read as a sound file: \(String(cString: sf_strerror(nil)))")
    }
    guard info.channels > 0, info.samplerate > 0 else {
      sf_close(file)
      throw RackError("\(path): there is no sound in it")
    }
    return file
  }

  /// Was the header's length too long for the file? libsndfile corrects it, and tells only its log.
  private static func hasShortData(_ file: OpaquePointer) -> Bool {
    var log = [CChar](repeating: 0, count: 8192)
    let length = sf_command(file, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count - 1))
    let text = String(decoding: log.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: "\n").contains { line in
      let name = line.drop { $0 == " " }.prefix(4).lowercased()
      return (name == "data" || name == "ssnd") && line.contains("(should be")
    }
  }

  private static func resample(
    _ interleaved: [Float], width: Int, ratio: Double, path: String
  ) throws(RackError) -> [Float] {
    guard src_is_valid_ratio(ratio) != 0 else {
      throw RackError("\(path): its sample rate is too far from the rack's to be converted")
    }
    let frames = interleaved.count / width
    let expected = Int((Double(frames) * ratio).rounded())
    var result = [Float](repeating: 0, count: (expected + 16) * width)
    let made = interleaved.withUnsafeBufferPointer { input in
      result.withUnsafeMutableBufferPointer { output in
        var data = SRC_DATA()
        data.data_in = input.baseAddress
        data.data_out = output.baseAddress
        data.input_frames = frames
        data.output_frames = expected + 16
        data.src_ratio = ratio
        let status = src_simple(&data, Int32(SRC_SINC_BEST_QUALITY), Int32(width))
        return status == 0 ? Int(data.output_frames_gen) : -1
      }
    }
    guard made >= 0 else { throw RackError("\(path): cannot be resampled by \(ratio)") }
    return Array(result[..<(min(made, expected) * width)])
  }
}
