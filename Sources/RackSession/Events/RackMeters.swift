import RackEngine

/// The levels of ports and units.
public struct RackMeters: RackEvent {
  public static let name = "meters"
  public var inputs: [EngineSnapshot.Meter]
  public var outputs: [EngineSnapshot.Meter]
  /// The levels of each unit's first output bus.
  public var units: [EngineSnapshot.Meter]

  init(_ status: EngineSnapshot) {
    (inputs, outputs) = (status.inputs, status.outputs)
    units = status.units.map { .init(name: $0.name, peak: $0.peak, rms: $0.rms) }
  }

  /// Replaces the levels by the newer ones, and keeps the higher peaks.
  public mutating func absorb(_ newer: RackMeters) {
    let earlier = self
    self = newer
    for group in [\RackMeters.inputs, \.outputs, \.units] {
      let peaks = Dictionary(earlier[keyPath: group].map { ($0.name, $0.peak) }) { max($0, $1) }
      for index in self[keyPath: group].indices {
        let meter = self[keyPath: group][index]
        self[keyPath: group][index].peak = max(meter.peak, peaks[meter.name] ?? 0)
      }
    }
  }
}
