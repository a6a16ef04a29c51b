import BacklineTestSupport
import CBenchmarks
import CUnit

/// A playing unit with the memory for its measurement.
final class UnitVoice {
  /// The length of a lap, frames.
  static let total = 8192

  private let host: UnitHost
  private let inputs: [UnsafePointer<Float>?]
  private let outputs: [UnsafeMutablePointer<Float>?]
  private var loop = bl_loop_unit()

  init(
    _ unit: BuiltInUnit, blockFrames: Int, file: String?, parameters: [String: Float]
  ) throws {
    let property = unit.description == "aufx/cabn/bkln" ? "a" : "file"
    host = try UnitHost(
      unit.descriptor, inputChannels: unit.inputBusses.map { _ in 2 },
      outputChannels: unit.outputBusses.map { min(2, Int($0.default_channel_count)) },
      maximumFrames: Self.total,
      properties: file.map { [property: $0] } ?? [:], parameters: parameters)
    inputs = (1...2).map { seed in
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: Self.total)
      samples.update(
        from: noise(Self.total, seed: UInt32(seed)).map { $0 * 0.25 }, count: Self.total)
      return UnsafePointer(samples)
    }
    outputs = (1...2).map { _ in
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: Self.total)
      samples.update(repeating: 0, count: Self.total)
      return samples
    }
    loop.descriptor = unit.descriptor
    loop.unit = host.unit
    loop.total_frames = UInt32(Self.total)
    loop.block_frames = UInt32(blockFrames)
    if unit.has(BL_UNIT_MIDI_INPUT) { holdChord() }
  }

  deinit {
    for pointer in inputs { pointer?.deallocate() }
    for pointer in outputs { pointer?.deallocate() }
  }

  private func holdChord() {
    withLoop { loop in
      for note in 0..<8 { bl_loop_send(&loop, 0x90, UInt8(45 + note * 4), 100) }
    }
  }

  private func withLoop<Result>(_ work: (inout bl_loop_unit) -> Result) -> Result {
    inputs.withUnsafeBufferPointer { inputs in
      outputs.withUnsafeBufferPointer { outputs in
        loop.inputs = inputs.baseAddress
        loop.outputs = outputs.baseAddress
        return work(&loop)
      }
    }
  }

  /// Returns the unit's time in nanoseconds a frame.
  func measure() -> Double {
    withLoop { loop in
      var seconds = 0.0
      for _ in 0..<laps {
        loop.descriptor.pointee.wait_until_ready?(loop.unit, UInt32(Self.total))
        seconds += Measurement.seconds { bl_loop_render(&loop) }
      }
      return seconds * 1e9 / Double(Self.total * laps)
    }
  }

  /// Returns the median and the 99th percentile of the cycles, nanoseconds each.
  func measureCycles() -> (median: Double, slow: Double) {
    var cycles = [Double](repeating: 0, count: Self.total / Int(loop.block_frames))
    var ratios: [(median: Double, slow: Double)] = []
    for _ in 0..<Measurement.amount(50, short: 1) {
      withLoop { bl_loop_time(&$0, &cycles) }
      cycles.sort()
      ratios.append((Measurement.median(cycles), cycles[cycles.count * 99 / 100]))
    }
    // Other load on the machine falls on some of the laps.
    return (Measurement.median(ratios.map(\.median)), Measurement.median(ratios.map(\.slow)))
  }

  /// Returns the time of a Faust build with the same input, nanoseconds a frame.
  func measure(_ build: OpaquePointer) -> Double {
    withLoop { loop in
      Measurement.seconds {
        for _ in 0..<laps {
          bl_faust_render(build, loop.inputs, loop.outputs, UInt32(Self.total), loop.block_frames)
        }
      } * 1e9 / Double(Self.total * laps)
    }
  }

  private let laps = Measurement.amount(4, short: 1)
}
