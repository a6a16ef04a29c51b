import Glibc

/// A reading of a watched signal.
public struct TelemetryReading: Sendable, Codable, Equatable {
  /// The unit's name.
  public var unit: String
  /// The identifier of the signal: `output.spectrum`, `response`.
  public var signal: String
  public var values: Values

  public enum Values: Sendable, Equatable {
    /// The levels of bands in dB: 0 for a sine of amplitude 1, -90 for silence. The centres lie from 20 Hz to 20 kHz
    /// on a logarithmic axis.
    case spectrum([Float])
    case scope(ScopePicture)
    case tuner(TunerReading)
    /// The values of an array that the unit defines.
    case array([Float])
  }

  private enum Key: String, CodingKey { case unit, signal, bands, scope, tuner, values }

  init(_ signal: WatchedSignal, _ values: Values) {
    (unit, self.signal, self.values) = (signal.unit, signal.identifier, values)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(unit, forKey: .unit)
    try container.encode(signal, forKey: .signal)
    switch values {
    case .spectrum(let bands): try container.encode(bands, forKey: .bands)
    case .scope(let picture): try container.encode(picture, forKey: .scope)
    case .tuner(let reading): try container.encode(reading, forKey: .tuner)
    case .array(let values): try container.encode(values, forKey: .values)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    unit = try container.decode(String.self, forKey: .unit)
    signal = try container.decode(String.self, forKey: .signal)
    if let bands = try container.decodeIfPresent([Float].self, forKey: .bands) {
      values = .spectrum(bands)
    } else if let picture = try container.decodeIfPresent(ScopePicture.self, forKey: .scope) {
      values = .scope(picture)
    } else if let reading = try container.decodeIfPresent(TunerReading.self, forKey: .tuner) {
      values = .tuner(reading)
    } else {
      values = .array(try container.decode([Float].self, forKey: .values))
    }
  }
}

extension Float {
  /// Returns the value rounded to a fraction of 1, such as a thousandth for 1000, to shorten lines of many values.
  func rounded(toPart part: Float) -> Float { (self * part).rounded() / part }

  /// The value rounded to four significant digits.
  var withFourDigits: Float {
    guard self != 0 else { return 0 }
    let unit = pow(10, Double(floor(log10(abs(self)))) - 3)
    return Float((Double(self) / unit).rounded() * unit)
  }
}
