import BacklineTestSupport
import CBenchmarks
import CUnit
import Glibc

/// What each unit costs by itself, outside the kernel.
enum UnitBenchmark {
  private static let total = 8192
  private static let rounds = 25

  static func run() throws {
    let folder = try TemporaryFolder()
    let noise = try folder.writeNoise(
      seconds: Measurement.amount(30, short: 1), channels: 2, to: "noise.wav")
    let impulse = try folder.writeNoise(
      seconds: Measurement.amount(2, short: 1), channels: 2, to: "impulse.wav")
    let files = ["augn/play/bkln": noise, "aufx/conv/bkln": impulse, "aufx/cabn/bkln": impulse]
    let hasFaust = FaustBuild.isPossible && !Measurement.isShort
    var blocks = Table(
      title: "Units, stereo, blocks of 64 and of \(total)", unit: "ns per frame",
      reference: "at \(total)")
    var peers = Table(
      title: "Units, stereo, blocks of 64, and the best Faust build", unit: "ns per frame",
      reference: "Faust")
    for unit in BuiltInUnit.all where !unit.outputBusses.isEmpty {
      let name = fileName(of: unit)
      let short = try Voice(
        unit, blockFrames: 64, file: files[unit.description], parameters: busy(name, unit))
      let long = try Voice(
        unit, blockFrames: total, file: files[unit.description], parameters: busy(name, unit))
      let faust = hasFaust ? FaustBuild.build(name, in: folder) : []
      defer { for build in faust { bl_faust_close(build) } }
      let medians = try Measurement.interleaved(
        rounds: rounds,
        [short.measure, long.measure] + faust.map { build in { short.measure(build) } })
      blocks.rows.append(Table.Row(name, ours: medians[0], reference: medians[1], aim: 1.15))
      peers.rows.append(
        Table.Row(
          name, ours: medians[0], reference: medians.dropFirst(2).min(), aim: 1,
          remark: figures[name].map { "elsewhere: \($0)" } ?? ""))
    }
    try blocks.show()
    try peers.show()
    showMean(peers)
    try evenness(files).show()
    if !FaustBuild.isPossible { print("  faust or clang is not installed; apt install faust") }
  }

  /// What was measured of others on another machine; an order of magnitude.
  private static let figures = [
    "low_pass_filter": "Faust 6.8, SIMD 2.9", "high_pass_filter": "Faust 6.8, SIMD 2.9",
    "ring_modulator": "Faust 2.2", "delay": "Faust 0.54 plain, 19.8 tape",
    "distortion": "Faust 99 (tanh at four times the rate)",
    "sine_instrument": "Faust 109, SIMD 8.6 (eight voices)",
  ]

  /// The geometric mean of the ratios to Faust, of the units that have a twin.
  private static func showMean(_ peers: Table) {
    let ratios = peers.rows.compactMap(\.ratio)
    guard !Measurement.isShort, !ratios.isEmpty else { return }
    let mean = exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
    print("  geometric mean of \(ratios.count) ratios: \(Table.number(mean)), aim 0.6")
  }

  /// A cycle that comes late is heard, so the slowest should not be far from the usual: units whose
  /// work comes in lumps.
  private static func evenness(_ files: [String: String]) throws -> Table {
    var table = Table(
      title: "Evenness of units, stereo, cycles of 64: p99 beside the median", unit: "ns per cycle",
      reference: "median")
    let fourVoices = ["voices": Float(4)]
    let units: [(String, [String: Float])] = [
      ("aufx/rvrb/bkln", [:]), ("aufx/conv/bkln", [:]), ("aufx/cabn/bkln", [:]),
      ("aufx/octv/bkln", [:]), ("aufx/ptch/bkln", fourVoices), ("aufx/tunr/bkln", [:]),
      ("aufx/lufs/bkln", [:]),
    ]
    for (description, parameters) in units {
      let unit = BuiltInUnit(description)
      let voice = try Voice(unit, blockFrames: 64, file: files[description], parameters: parameters)
      let (median, slow) = voice.measureCycles()
      table.rows.append(
        Table.Row(fileName(of: unit), ours: slow, reference: median, aim: 1.5))
    }
    return table
  }

  /// Parameters under which a unit does all of its work: equalisers skip what is flat.
  private static func busy(_ name: String, _ unit: BuiltInUnit) -> [String: Float] {
    guard ["parametric_eq", "graphic_eq", "graphic_eq_31"].contains(name) else { return [:] }
    let gains = unit.parameters.compactMap { parameter -> String? in
      let identifier = String(cString: parameter.identifier)
      guard identifier.hasPrefix("gain") else { return nil }
      return parameter.group.map { "\(String(cString: $0)).\(identifier)" } ?? identifier
    }
    return Dictionary(uniqueKeysWithValues: gains.map { ($0, 3) })
  }

  /// "Low-Pass Filter" is measured beside low_pass_filter.dsp.
  private static func fileName(of unit: BuiltInUnit) -> String {
    String(
      String(cString: unit.facts.name).lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// A unit that sounds, and the memory that it is measured in.
  private final class Voice {
    private let host: UnitHost
    private let inputs: [UnsafePointer<Float>?]
    private let outputs: [UnsafeMutablePointer<Float>?]
    private var loop = bl_loop_unit()

    init(
      _ unit: BuiltInUnit, blockFrames: Int, file: String?, parameters: [String: Float]
    ) throws {
      let property = unit.description == "aufx/cabn/bkln" ? "a" : "file"
      host = try UnitHost(
        unit.descriptor, inputChannels: unit.inputBusses.map { _ in 2 }, outputChannels: [2],
        maximumFrames: total,
        properties: file.map { [property: $0] } ?? [:], parameters: parameters)
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

    /// The median and the 99th percentile of the cycles, in ns each.
    func measureCycles() -> (median: Double, slow: Double) {
      var cycles = [Double](repeating: 0, count: total / Int(loop.block_frames))
      var ratios: [(median: Double, slow: Double)] = []
      for _ in 0..<Measurement.amount(50, short: 1) {
        withLoop { bl_loop_time(&$0, &cycles) }
        cycles.sort()
        ratios.append((Measurement.median(cycles), cycles[cycles.count * 99 / 100]))
      }
      // Other load on the machine falls on some of the laps.
      return (Measurement.median(ratios.map(\.median)), Measurement.median(ratios.map(\.slow)))
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
