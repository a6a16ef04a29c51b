import CSndFile
import Foundation

/// A folder of one test's own, gone with it.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("backline-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes bytes and answers the file's path.
  func write(_ name: String, bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }
}

/// Sound files as the tests write and read them; samples are channels × frames.
struct SoundFile {
  var sampleRate: Int
  var channels: [[Float]]

  struct Failure: Error { var path: String }

  enum Format: CaseIterable {
    case waveFloat, wave16, wave24, flac, vorbis

    var code: Int32 {
      switch self {
      case .waveFloat: Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
      case .wave16: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
      case .wave24: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_24)
      case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
      case .vorbis: Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
      }
    }

    /// How far a sample may lie from what was written.
    var tolerance: Float {
      switch self {
      case .waveFloat: 0
      case .wave16: 1 / 32_768
      case .wave24, .flac: 1 / 4_194_304
      case .vorbis: 0.05
      }
    }
  }

  /// A sine at every channel, `amplitude` high, starting at phase 0.
  static func sine(
    _ frequency: Double, frames: Int, sampleRate: Int = 48_000, amplitude: Double = 0.5,
    channels: Int = 1
  ) -> SoundFile {
    let samples = (0..<frames).map {
      Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(sampleRate)))
    }
    return SoundFile(
      sampleRate: sampleRate, channels: [[Float]](repeating: samples, count: channels))
  }

  /// Noise, the same at each run and different in each channel.
  static func noise(frames: Int, channels: Int, sampleRate: Int = 48_000) -> SoundFile {
    var state: UInt64 = 1
    let samples = (0..<channels).map { _ in
      (0..<frames).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 33) - (1 << 30)) / Float(1 << 31)
      }
    }
    return SoundFile(sampleRate: sampleRate, channels: samples)
  }

  @discardableResult
  func write(_ path: String, _ format: Format = .waveFloat) throws -> String {
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate)
    info.channels = Int32(channels.count)
    info.format = format.code
    guard let file = sf_open(path, Int32(SFM_WRITE), &info) else { throw Failure(path: path) }
    defer { sf_close(file) }
    let frames = channels[0].count
    let interleaved = (0..<frames).flatMap { frame in channels.map { $0[frame] } }
    guard sf_writef_float(file, interleaved, sf_count_t(frames)) == sf_count_t(frames) else {
      throw Failure(path: path)
    }
    return path
  }

  init(sampleRate: Int, channels: [[Float]]) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  init(reading path: String) throws {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { throw Failure(path: path) }
    defer { sf_close(file) }
    let count = Int(info.channels)
    var interleaved = [Float](repeating: 0, count: count * Int(info.frames))
    guard sf_readf_float(file, &interleaved, info.frames) == info.frames else {
      throw Failure(path: path)
    }
    sampleRate = Int(info.samplerate)
    channels = (0..<count).map { channel in
      stride(from: channel, to: interleaved.count, by: count).map { interleaved[$0] }
    }
  }
}

/// The sine of a known frequency in a signal, by least squares.
struct SineFit {
  var amplitude: Double
  /// Radians; 0 where the sine starts at the first sample given.
  var phase: Double
  /// What is left, as RMS.
  var residual: Double

  init(_ samples: some Collection<Float>, frequency: Double, sampleRate: Double) {
    var sineSine = 0.0
    var sineCosine = 0.0
    var cosineCosine = 0.0
    var sampleSine = 0.0
    var sampleCosine = 0.0
    let step = 2 * .pi * frequency / sampleRate
    for (index, sample) in samples.enumerated() {
      let (s, c) = (sin(step * Double(index)), cos(step * Double(index)))
      sineSine += s * s
      sineCosine += s * c
      cosineCosine += c * c
      sampleSine += Double(sample) * s
      sampleCosine += Double(sample) * c
    }
    let determinant = sineSine * cosineCosine - sineCosine * sineCosine
    let a = (sampleSine * cosineCosine - sampleCosine * sineCosine) / determinant
    let b = (sampleCosine * sineSine - sampleSine * sineCosine) / determinant
    amplitude = (a * a + b * b).squareRoot()
    phase = atan2(b, a)
    var sum = 0.0
    for (index, sample) in samples.enumerated() {
      let (s, c) = (sin(step * Double(index)), cos(step * Double(index)))
      let rest = Double(sample) - a * s - b * c
      sum += rest * rest
    }
    residual = (sum / Double(samples.count)).squareRoot()
  }
}

/// The largest step from one sample to the next.
func largestStep(_ samples: some Collection<Float>) -> Float {
  zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
}

/// The first index where two signals differ; nil where they are the same, bit by bit.
/// (`#expect(a == b)` on long arrays would look for the shortest edit, for hours.)
func firstDifference(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Int? {
  if left.count != right.count { return min(left.count, right.count) }
  return zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset
}

/// The same for channels × frames; the frame.
func firstDifference(_ left: [[Float]], _ right: [[Float]]) -> Int? {
  if left.count != right.count { return 0 }
  return zip(left, right).lazy.compactMap { firstDifference($0, $1) }.first
}
