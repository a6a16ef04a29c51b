import CSoundLibraries
import Foundation

/// A sound file that a test writes or reads; samples are channels × frames.
package struct SoundFile {
  package var sampleRate: Int
  package var channels: [[Float]]

  package struct Failure: Error { public var path: String }

  package enum Format: CaseIterable, Sendable {
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

    /// The largest error of a sample that was written and read.
    package var tolerance: Float {
      switch self {
      case .waveFloat: 0
      case .wave16: 1 / 32_768
      case .wave24, .flac: 1 / 4_194_304
      case .vorbis: 0.05
      }
    }
  }

  /// Returns a sine on every channel, starting at phase 0.
  package static func sine(
    _ frequency: Double, frames: Int, sampleRate: Int = 48_000, amplitude: Double = 0.5,
    channels: Int = 1
  ) -> SoundFile {
    let samples = (0..<frames).map {
      Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(sampleRate)))
    }
    return SoundFile(
      sampleRate: sampleRate, channels: [[Float]](repeating: samples, count: channels))
  }

  /// Returns noise, the same in each run and different in each channel.
  package static func noise(frames: Int, channels: Int, sampleRate: Int = 48_000) -> SoundFile {
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
  package func write(_ path: String, _ format: Format = .waveFloat) throws -> String {
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate)
    info.channels = Int32(channels.count)
    info.format = format.code
    guard let file = sf_open(path, Int32(SFM_WRITE), &info) else { throw Failure(path: path) }
    defer { sf_close(file) }
    let frames = channels[0].count
    var interleaved = [Float](repeating: 0, count: channels.count * frames)
    for (channel, samples) in channels.enumerated() {
      for frame in 0..<frames { interleaved[frame * channels.count + channel] = samples[frame] }
    }
    guard sf_writef_float(file, interleaved, sf_count_t(frames)) == sf_count_t(frames) else {
      throw Failure(path: path)
    }
    return path
  }

  package init(sampleRate: Int, channels: [[Float]]) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  package init(reading path: String) throws {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { throw Failure(path: path) }
    defer { sf_close(file) }
    let count = Int(info.channels)
    var interleaved = [Float](repeating: 0, count: count * Int(info.frames))
    guard sf_readf_float(file, &interleaved, info.frames) == info.frames else {
      throw Failure(path: path)
    }
    sampleRate = Int(info.samplerate)
    var channels = [[Float]](
      repeating: [Float](repeating: 0, count: Int(info.frames)), count: count)
    for channel in 0..<count {
      for frame in 0..<Int(info.frames) {
        channels[channel][frame] = interleaved[frame * count + channel]
      }
    }
    self.channels = channels
  }
}
