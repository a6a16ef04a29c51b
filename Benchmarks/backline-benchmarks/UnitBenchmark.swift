import BacklineTestSupport
import CBenchmarks
import CUnit

/// What each unit costs by itself, outside the kernel.
enum UnitBenchmark {
  private static let total = 8192
  private static let rounds = 25

  static func run() throws {
    let folder = try TemporaryFolder()
    let noise = try folder.writeNoise(
      seconds: Measurement.amount(30, short: 1), channels: 2, to: "noise.wav")
    let hasFaust = FaustBuild.isPossible && !Measurement.isShort
    var blocks = Table(
      title: "Units, stereo, blocks of 64 and of \(total)", unit: "ns per frame",
      reference: "at \(total)")
    var peers = Table(
      title: "Units, stereo, blocks of 64, and the best Faust build", unit: "ns per frame",
      reference: "Faust")
    for unit in BuiltInUnit.all where !unit.outputBusses.isEmpty {
      let short = try Voice(unit, blockFrames: 64, soundFile: noise)
      let long = try Voice(unit, blockFrames: total, soundFile: noise)
      let name = fileName(of: unit)
      let faust = hasFaust ? FaustBuild.build(name, in: folder) : []
      defer { for build in faust { bl_faust_close(build) } }
      let medians = try Measurement.interleaved(
        rounds: rounds,
        [short.measure, long.measure] + faust.map { build in { short.measure(build) } })
      blocks.rows.append(Table.Row(name, ours: medians[0], reference: medians[1], aim: 1.15))
      let best = medians.dropFirst(2).min()
      peers.rows.append(
        Table.Row(
          name, ours: medians[0], reference: best, aim: 1,
          remark: figures[name].map { "elsewhere: \($0)" } ?? ""))
    }
    try blocks.show()
    try peers.show()
    if !FaustBuild.isPossible { print("  faust or clang is not installed; apt install faust") }
  }

  /// What was measured of others on another machine; an order of magnitude.
  private static let figures = [
    "low_pass": "Faust 6.8, SIMD 2.9", "high_pass": "Faust 6.8, SIMD 2.9",
    "ring_modulator": "Faust 2.2", "delay": "Faust 0.54 plain, 19.8 tape",
    "distortion": "Faust 99 (tanh at four times the rate)",
    "sine_instrument": "Faust 109, SIMD 8.6 (eight voices)",
  ]

  /// "Low-Pass Filter" is measured beside low_pass.dsp.
  private static func fileName(of unit: BuiltInUnit) -> String {
    switch unit.description {
    case "aufx/lpas/bkln": "low_pass"
    case "aufx/hpas/bkln": "high_pass"
    case "aufx/ring/bkln": "ring_modulator"
    case "aufx/tmlo/bkln": "tremolo"
    case "aufx/chor/bkln": "chorus"
    case "aufx/phas/bkln": "phaser"
    case "aufx/wahh/bkln": "wah"
    case "aufx/dely/bkln": "delay"
    case "aufx/dist/bkln": "distortion"
    case "aufx/cmpr/bkln": "compressor"
    case "aufx/gain/bkln": "gain"
    case "aumx/mixr/bkln": "mixer"
    case "augn/play/bkln": "player"
    case "aumu/sine/bkln": "sine_instrument"
    default: unit.description
    }
  }

  /// A unit that sounds, and the memory that it is measured in.
  private final class Voice {
    private let host: UnitHost
    private let inputs: [UnsafePointer<Float>?]
    private let outputs: [UnsafeMutablePointer<Float>?]
    private var loop = bl_loop_unit()

    init(_ unit: BuiltInUnit, blockFrames: Int, soundFile: String) throws {
      let isPlayer = unit.description == "augn/play/bkln"
      host = try UnitHost(
        unit.descriptor, inputChannels: unit.inputBusses.map { _ in 2 }, outputChannels: [2],
        maximumFrames: total, properties: isPlayer ? ["file": soundFile] : [:])
      inputs = (1...2).map { seed in
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: total)
        samples.update(from: noise(total, seed: UInt32(seed)).map { $0 * 0.25 }, count: total)
        return UnsafePointer(samples)
      }
      outputs = (1...2).map { _ in
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: total)
        samples.update(repeating: 0, count: total)
        return samples
      }
      loop.descriptor = unit.descriptor
      loop.unit = host.unit
      loop.total_frames = UInt32(total)
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

    /// ns per frame.
    func measure() -> Double {
      withLoop { loop in
        var seconds = 0.0
        for _ in 0..<laps {
          loop.descriptor.pointee.wait_until_ready?(loop.unit, UInt32(total))
          seconds += Measurement.seconds { bl_loop_render(&loop) }
        }
        return seconds * 1e9 / Double(total * laps)
      }
    }

    /// The same input through Faust's.
    func measure(_ build: OpaquePointer) -> Double {
      withLoop { loop in
        Measurement.seconds {
          for _ in 0..<laps {
            bl_faust_render(build, loop.inputs, loop.outputs, UInt32(total), loop.block_frames)
          }
        } * 1e9 / Double(total * laps)
      }
    }

    private let laps = Measurement.amount(4, short: 1)
  }
}
