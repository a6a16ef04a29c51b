import BacklineTestSupport
import CBenchmarks
import CKernel
import CUnit

/// What the kernel costs beside bare loops that do the same arithmetic.
enum GraphBenchmark {
  private static let frames = 64
  private static let rounds = 41

  static func run() throws {
    var table = Table(title: "Graph, \(frames) frames", unit: "ns per unit and cycle")
    for channels in [2, 1] {
      for units in [1, 8, 64, 256] { table.rows.append(try chain(units, channels)) }
    }
    for channels in [2, 1] {
      table.rows.append(try fanIn(into: BuiltInUnit("aumx/mixr/bkln"), channels))
      table.rows.append(try fanIn(into: nil, channels))
    }
    try table.show()
    print("  The aim is the floor and 10 ns a unit, with meters, guard and timing.")
  }

  private static func chain(_ count: Int, _ channels: Int) throws -> Table.Row {
    let host = KernelHost()
    var cables: [bl_cable] = []
    for unit in 0..<count {
      addGain(to: host, channels)
      cables.append(KernelHost.cable(unit == 0 ? nil : unit - 1, unit))
    }
    cables.append(KernelHost.cable(count - 1, nil))
    host.play(try host.lower(cables, inputs: [UInt32(channels)], outputs: [UInt32(channels)]))
    let memory = Memory(channels: channels, buffers: 0)
    let gains = [Float](repeating: 1, count: count)
    let cycles = Measurement.amount(max(100_000 / (count * channels), 200), short: 10)
    return try row("chain of \(count), \(name(channels))", count, cycles, host, memory) {
      bl_floor_chain(
        memory.inputs, memory.outputs, UInt32(channels), UInt32(frames), gains, UInt32(count),
        UInt32(cycles))
    }
  }

  private static func fanIn(into mixer: BuiltInUnit?, _ channels: Int) throws -> Table.Row {
    let count = 64
    let host = KernelHost()
    var cables: [bl_cable] = []
    for unit in 0..<count {
      addGain(to: host, channels)
      cables.append(KernelHost.cable(nil, unit))
      cables.append(KernelHost.cable(unit, mixer == nil ? nil : count, to: mixer == nil ? 0 : unit))
    }
    if let mixer {
      host.add(
        mixer.descriptor, inputs: [UInt32](repeating: UInt32(channels), count: count),
        outputs: [UInt32(channels)])
      cables.append(KernelHost.cable(count, nil))
    }
    host.play(try host.lower(cables, inputs: [UInt32(channels)], outputs: [UInt32(channels)]))
    let memory = Memory(channels: channels, buffers: count * channels)
    let gains = [Float](repeating: 1, count: count)
    let cycles = Measurement.amount(800 / channels, short: 10)
    let target = mixer == nil ? "a port" : "the mixer"
    return try row("\(count) into \(target), \(name(channels))", count, cycles, host, memory) {
      bl_floor_fan_in(
        memory.inputs, memory.buffers, memory.outputs, UInt32(channels), UInt32(frames), gains,
        gains, UInt32(count), UInt32(cycles))
    }
  }

  private static func row(
    _ name: String, _ units: Int, _ cycles: Int, _ host: KernelHost, _ memory: Memory,
    floor: @escaping () -> Void
  ) throws -> Table.Row {
    let inputs: [UnsafePointer<Float>?] = memory.inputs
    let outputs: [UnsafeMutablePointer<Float>?] = memory.outputs
    let each = 1e9 / Double(cycles * units)
    let medians = try inputs.withUnsafeBufferPointer { inputs in
      try outputs.withUnsafeBufferPointer { outputs in
        var cycle = bl_cycle()
        cycle.frames = UInt32(frames)
        cycle.inputs = inputs.baseAddress
        cycle.outputs = outputs.baseAddress
        return try Measurement.interleaved(
          rounds: rounds,
          [
            {
              host.receiveReports()
              return Measurement.seconds {
                bl_loop_kernel(host.kernel, &cycle, UInt32(cycles))
              } * each
            },
            { Measurement.seconds(floor) * each },
          ])
      }
    }
    let (ours, bare) = (medians[0], medians[1])
    return Table.Row(name, ours: ours, reference: bare, aim: (bare + 10) / bare)
  }

  private static func addGain(to host: KernelHost, _ channels: Int) {
    host.add(
      BuiltInUnit("aufx/gain/bkln").descriptor, inputs: [UInt32(channels)],
      outputs: [UInt32(channels)])
  }

  private static func name(_ channels: Int) -> String { channels == 2 ? "stereo" : "mono" }

  /// Noise to read and room to write, for as long as this lives.
  private final class Memory {
    let inputs: [UnsafePointer<Float>?]
    let outputs: [UnsafeMutablePointer<Float>?]
    let buffers: [UnsafeMutablePointer<Float>?]

    init(channels: Int, buffers count: Int) {
      func take(_ samples: [Float]) -> UnsafeMutablePointer<Float> {
        let pointer = UnsafeMutablePointer<Float>.allocate(capacity: samples.count + 16)
        pointer.update(from: samples, count: samples.count)
        return pointer
      }
      inputs = (0..<channels).map { channel in
        UnsafePointer(take(noise(frames, seed: UInt32(channel + 1)).map { $0 * 0.25 }))
      }
      outputs = (0..<channels).map { _ in take([Float](repeating: 0, count: frames)) }
      buffers = (0..<count).map { _ in take([Float](repeating: 0, count: frames)) }
    }

    deinit {
      for pointer in inputs { pointer?.deallocate() }
      for pointer in outputs + buffers { pointer?.deallocate() }
    }
  }
}
