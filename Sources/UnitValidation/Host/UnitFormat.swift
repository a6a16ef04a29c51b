import CUnit

/// What a host settles with a unit before it renders.
public struct UnitFormat: Sendable, CustomStringConvertible {
  /// Hz.
  public var sampleRate: Double
  /// Channels of each bus.
  public var inputs: [Int]
  public var outputs: [Int]
  /// The longest cycle.
  public var maximumFrames: Int

  public init(
    sampleRate: Double = 48_000, inputs: [Int], outputs: [Int], maximumFrames: Int = 4096
  ) {
    self.sampleRate = sampleRate
    self.inputs = inputs
    self.outputs = outputs
    self.maximumFrames = maximumFrames
  }

  public var description: String {
    "\(inputs) channels in, \(outputs) out, \(Int(sampleRate)) Hz, up to \(maximumFrames) frames"
  }

  func withConfiguration<Result>(
    _ body: (UnsafePointer<bl_render_configuration>) throws -> Result
  ) rethrows -> Result {
    let inputs = inputs.map { UInt32($0) }
    let outputs = outputs.map { UInt32($0) }
    return try inputs.withUnsafeBufferPointer { inputs in
      try outputs.withUnsafeBufferPointer { outputs in
        var configuration = bl_render_configuration(
          sample_rate: sampleRate, maximum_frames: UInt32(maximumFrames),
          input_bus_count: UInt32(inputs.count), output_bus_count: UInt32(outputs.count),
          input_channel_counts: inputs.baseAddress, output_channel_counts: outputs.baseAddress)
        return try body(&configuration)
      }
    }
  }
}
