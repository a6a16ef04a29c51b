import RackModel

/// A line with the latency of an output: "main  256 frames (5.3 ms): look".
enum LatencyLine {
  /// Returns the line.
  ///
  /// - Parameters:
  ///   - sampleRate: the sample rate in Hz.
  ///   - conditions: a text that follows the time.
  static func text(
    _ latency: PathLatency, sampleRate: Double, conditions: String = ""
  ) -> String {
    let names =
      latency.units.count > 1
      ? latency.units.map { "\($0.name) \($0.frames)" } : latency.units.map(\.name)
    let own =
      latency.frames == 0
      ? "none" : "\(latency.frames) frames (\(time(latency.frames, sampleRate))\(conditions))"
    let total = latency.total.map { ", \(time($0, sampleRate)) with JACK's" } ?? ""
    let by = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
    return "\(latency.port)  \(own)\(total)\(by)"
  }

  private static func time(_ frames: Int, _ sampleRate: Double) -> String {
    "\(StatusLines.decimal(Double(frames) / sampleRate * 1000)) ms"
  }
}
