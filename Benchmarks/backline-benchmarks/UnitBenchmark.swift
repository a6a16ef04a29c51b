import BacklineTestSupport
import CBenchmarks
import CUnit

/// What each unit costs by itself, outside the kernel.
enum UnitBenchmark {
  private static let total = 8192
  private static let rounds = 25

  static func run() throws {
    let folder = try TemporaryFolder()
    let sounds: [String: (property: String, seconds: Int)] = [
      "augn/play/bkln": ("file", seconds: Measurement.amount(30, short: 1)),
      "aufx/conv/bkln": ("file", 2), "aufx/cabn/bkln": ("a", 1),
    ]
    let hasFaust = FaustBuild.isPossible && !Measurement.isShort
    var blocks = Table(
      title: "Units, stereo, blocks of 64 and of \(total)", unit: "ns per frame",
      reference: "at \(total)")
    var peers = Table(
      title: "Units, stereo, blocks of 64, and the best Faust build", unit: "ns per frame",
      reference: "Faust")
    var evenness = Table(
      title: "Units, stereo, cycles of 64: of a hundred the dearest but one, and the median",
      unit: "ns", reference: "median")
    for unit in BuiltInUnit.all where !unit.outputBusses.isEmpty {
      let properties = try sounds[unit.description].map { sound in
        let place = "\(sound.seconds).wav"
        return [
          sound.property: try folder.writeNoise(seconds: sound.seconds, channels: 2, to: place)
        ]
      }
      let short = try Voice(unit, blockFrames: 64, properties: properties ?? [:])
      let long = try Voice(unit, blockFrames: total, properties: properties ?? [:])
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
      let times = short.cycleTimes().sorted()
      evenness.rows.append(
        Table.Row(
          name, ours: times[times.count * 99 / 100], reference: times[times.count / 2], aim: 1.5))
    }
    try blocks.show()
    try peers.show()
    try evenness.show()
    if !FaustBuild.isPossible { print("  faust or clang is not installed; apt install faust") }
  }

  /// What was measured of others on another machine; an order of magnitude.
  private static let figures = [
    "low-pass-filter": "Faust 6.8, SIMD 2.9", "high-pass-filter": "Faust 6.8, SIMD 2.9",
    "ring-modulator": "Faust 2.2", "delay": "Faust 0.54 plain, 19.8 tape, pedalboard 10.6",
    "distortion": "Faust 99 (tanh at four times the rate)",
    "sine-instrument": "Faust 109, SIMD 8.6 (eight voices)", "chorus": "pedalboard 13",
    "phaser": "pedalboard 54", "compressor": "pedalboard 13", "limiter": "pedalboard 21",
    "reverb": "pedalboard 37", "convolver": "zita-convolver 117, pedalboard 1300 (2 s)",
    "analogue-filter": "pedalboard 22",
  ]

  /// "Low-Pass Filter" is measured beside low-pass-filter.dsp.
  private static func fileName(of unit: BuiltInUnit) -> String {
    String(cString: unit.facts.name).lowercased().replacing(" ", with: "-")
  }

  /// A unit that sounds, and the memory that it is measured in.
  private final class Voice {
    private let host: UnitHost
    private let inputs: [UnsafePointer<Float>?]
    private let outputs: [UnsafeMutablePointer<Float>?]
    private var loop = bl_loop_unit()

    init(_ unit: BuiltInUnit, blockFrames: Int, properties: [String: String]) throws {
      host = try UnitHost(
        unit.descriptor, inputChannels: unit.inputBusses.map { _ in 2 }, outputChannels: [2],
        maximumFrames: total, properties: properties)
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
      if unit.description.hasPrefix("aufx/eq") { raiseBands(of: unit) }
    }

    deinit {
      for pointer in inputs { pointer?.deallocate() }
      for pointer in outputs { pointer?.deallocate() }
    }

    /// Equalisers do nothing unless a band does.
    private func raiseBands(of unit: BuiltInUnit) {
      for (index, info) in unit.parameters.enumerated()
      where String(cString: info.identifier).hasPrefix("gain") {
        unit.facts.set_parameter(host.unit, UInt64(index), 6)
      }
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

    /// The time of each block, ns.
    func cycleTimes() -> [Double] {
      withLoop { loop in
        var times = [Double](repeating: 0, count: total / Int(loop.block_frames))
        return (0..<Measurement.amount(40, short: 1)).flatMap { _ in
          loop.descriptor.pointee.wait_until_ready?(loop.unit, UInt32(total))
          bl_loop_time_blocks(&loop, &times)
          return times
        }
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
