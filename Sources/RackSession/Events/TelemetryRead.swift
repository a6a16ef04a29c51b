/// The last readings of watched signals.
public struct TelemetryRead: RackEvent {
  public static let name = "telemetry"
  private var bySignal: [String: TelemetryReading]

  /// The readings, in no particular order.
  public var readings: [TelemetryReading] { Array(bySignal.values) }

  init(_ readings: [TelemetryReading]) {
    bySignal = Dictionary(readings.map { ("\($0.unit).\($0.signal)", $0) }) { $1 }
  }

  public mutating func absorb(_ newer: TelemetryRead) { bySignal.merge(newer.bySignal) { $1 } }

  /// Keeps only the readings of these signals; returns false if none is left.
  mutating func keep(_ signals: Set<WatchedSignal>) -> Bool {
    let kept = Set(signals.map { "\($0.unit).\($0.identifier)" })
    bySignal = bySignal.filter { kept.contains($0.key) }
    return !bySignal.isEmpty
  }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([TelemetryReading].self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(readings)
  }
}
