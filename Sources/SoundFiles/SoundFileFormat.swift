import CSoundLibraries
import Glibc

/// The sample format of a sound file.
public enum SampleFormat: String, Sendable, CaseIterable {
  case int16 = "16"
  case int24 = "24"
  case float = "float"

  /// The format's name: "16 bits", "32-bit float".
  public var name: String { self == .float ? "32-bit float" : "\(rawValue) bits" }

  /// Returns the default format of a file: float, or 24 bits if the file type has no float.
  public static func `default`(for path: String) -> SampleFormat {
    path.lowercased().hasSuffix(".flac") ? .int24 : .float
  }

  /// Whether the suffix of a path names a writable file type.
  package static func canWrite(_ path: String) -> Bool {
    (try? SoundFileFormat(path: path, samples: `default`(for: path))) != nil
  }

  /// Returns the name of the sample format that a file will have: "24 bits", "32-bit float",
  /// "compressed".
  ///
  /// - Parameter samples: the requested format, if any.
  public static func name(of path: String, asked samples: SampleFormat?) -> String {
    let samples = samples ?? `default`(for: path)
    let format = try? SoundFileFormat(path: path, samples: samples)
    return format?.isCompressed == true ? "compressed" : samples.name
  }
}

/// A sound file's libsndfile format, by its suffix.
struct SoundFileFormat {
  /// The format code of libsndfile.
  private(set) var code: Int32
  /// Whether samples above full scale are clipped.
  let clips: Bool
  let isCompressed: Bool
  /// The bits per sample; nil for float and compressed formats.
  private let bits: Int32?
  private let isDithered: Bool
  /// The allowed sample rates, Hz; nil for any.
  private let sampleRates: [Int]?

  private static let suffixes = [
    "wav", "flac", "aiff", "aif", "caf", "w64", "ogg", "opus", "mp3", "au",
  ]

  /// - Parameter isDithered: whether integers get triangular dither; nil: 16 bits do, 24 do not.
  /// - Throws: `SoundFileError` that names the file, for an unknown suffix or one whose format cannot hold
  ///   the samples.
  init(path: String, samples: SampleFormat, isDithered: Bool? = nil) throws(SoundFileError) {
    let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let integer = samples == .int16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24
    let plain = samples == .float ? SF_FORMAT_FLOAT : integer
    let (container, encoding): (Int, Int)
    switch suffix {
    case "wav": (container, encoding) = (SF_FORMAT_WAV, plain)
    case "aiff", "aif": (container, encoding) = (SF_FORMAT_AIFF, plain)
    case "caf": (container, encoding) = (SF_FORMAT_CAF, plain)
    case "w64": (container, encoding) = (SF_FORMAT_W64, plain)
    case "au": (container, encoding) = (SF_FORMAT_AU, plain)
    case "flac":
      guard samples != .float else {
        throw SoundFileError(
          "\(path): FLAC has no float samples; choose 16 or 24 bits, or a wav file")
      }
      (container, encoding) = (SF_FORMAT_FLAC, integer)
    case "ogg": (container, encoding) = (SF_FORMAT_OGG, SF_FORMAT_VORBIS)
    case "opus": (container, encoding) = (SF_FORMAT_OGG, SF_FORMAT_OPUS)
    case "mp3": (container, encoding) = (SF_FORMAT_MPEG, SF_FORMAT_MPEG_LAYER_III)
    default:
      throw SoundFileError(
        "\(path): the suffix names no known format; known suffixes are "
          + Self.suffixes.joined(separator: ", "))
    }
    code = Int32(container | encoding)
    isCompressed = encoding != plain
    clips = encoding != SF_FORMAT_FLOAT
    bits = encoding == integer ? samples == .int16 ? 16 : 24 : nil
    self.isDithered = isDithered ?? (samples == .int16)
    sampleRates = Self.sampleRates[suffix]
  }

  /// The rates of formats that allow only some: RFC 6716 and MPEG's layer III, Hz.
  private static let sampleRates = [
    "opus": [8000, 12_000, 16_000, 24_000, 48_000],
    "mp3": [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  ]

  /// Returns the reason why a file of this format cannot have this sample rate in Hz; nil if it
  /// can.
  func refusal(of sampleRate: Int) -> String? {
    guard let sampleRates, !sampleRates.contains(sampleRate) else { return nil }
    let known = sampleRates.map(String.init).joined(separator: ", ")
    return "the format has no sample rate of \(sampleRate) Hz; it has \(known) Hz (--rate)"
  }

  /// The format for a file that may exceed the 4 GiB of a WAV header: it then becomes RF64 (EBU Tech
  /// 3306).
  var ofUnknownLength: SoundFileFormat {
    var format = self
    if code & Int32(SF_FORMAT_TYPEMASK) == Int32(SF_FORMAT_WAV) {
      format.code = code & ~Int32(SF_FORMAT_TYPEMASK) | Int32(SF_FORMAT_RF64)
    }
    return format
  }

  var encoder: SampleEncoder { SampleEncoder(bits: bits, isDithered: isDithered) }

  /// Opens a new file with libsndfile; the descriptor stays the caller's.
  ///
  /// - Throws: `SoundFileError` that names the file.
  func open(
    _ descriptor: Int32, path: String, channelCount: Int, sampleRate: Double
  ) throws(SoundFileError) -> OpaquePointer {
    var info = SF_INFO()
    guard let rate = Int32(exactly: sampleRate.rounded()),
      let channels = Int32(exactly: channelCount)
    else {
      throw SoundFileError(
        "\(path): no sound file has \(channelCount) channels at \(sampleRate) Hz")
    }
    (info.samplerate, info.channels, info.format) = (rate, channels, code)
    guard sf_format_check(&info) != 0 else {
      throw SoundFileError(
        "\(path): the format cannot hold \(channelCount) channels at \(rate) Hz")
    }
    // libsndfile closes the descriptor of a file that it refuses, even if told not to, so it gets a
    // duplicate.
    guard
      let file = sf_open_fd(
        fcntl(descriptor, F_DUPFD_CLOEXEC, 0), Int32(SFM_WRITE), &info, Int32(SF_TRUE))
    else { throw SoundFileError("\(path): \(String(cString: sf_strerror(nil)))") }
    sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    return file
  }
}
