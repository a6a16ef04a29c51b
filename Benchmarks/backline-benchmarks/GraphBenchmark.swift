import BacklineTestSupport
import CBenchmarks
import CKernel
import CUnit

/// The cost of the kernel beside bare loops that do the same arithmetic.
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

  /// Measures 32 instruments that receive the same 4096 messages in a cycle, which also move 50 controls
  /// and recall a scene.
  static func worstCycle() throws {
    let host = KernelHost()
    host.hasDeadline = true
    let instrument = BuiltInUnit("aumu/sine/bkln").descriptor
    var (cables, midi): ([bl_cable], [bl_midi_cable]) = ([], [])
    for unit in 0..<32 {
      host.add(instrument, inputs: [], outputs: [2])
      cables.append(KernelHost.cable(unit, nil))
      midi.append(KernelHost.midi(nil, unit))
    }
    let controls = (0..<50).map { number in
      var control = bl_control()
      (control.source, control.number) = (BL_CONTROL_CONTROLLER, UInt32(number % 10))
      control.mode = number < 49 ? BL_CONTROL_ABSOLUTE : BL_CONTROL_RECALL
      control.channels = .max
      (control.node, control.to) = (UInt32(number % 32), 1)
      return control
    }
    let values = (0..<UInt32(100)).map { bl_scene_value(node: $0 % 32, address: 0, value: 0.5) }
    host.play(
      try values.withUnsafeBufferPointer { values in
        try host.lower(
          cables, inputs: [], outputs: [2], midi: midi, controls: controls,
          scenes: [
            bl_scene(
              value_count: UInt32(values.count), values: values.baseAddress, ramp_duration: 0)
          ])
      })
    let messages = (0..<4096).map { message in
      let bytes: [UInt8] =
        message % 4 == 0
        ? [0x90, UInt8(message / 4 % 128), 100]
        : [0xB0, UInt8(message % 10), UInt8(message / 10 % 2 * 127)]
      return KernelHost.Message(bytes, at: message / 64)
    }
    _ = bl_take_realtime(true)
    defer { _ = bl_take_realtime(false) }
    for _ in 0..<Measurement.amount(400, short: 40) {
      _ = host.render([], frames: frames, midi: messages)
    }
    let cycles = host.telemetry.map(\.cycle)
    let mean = cycles.map { Double($0.mean) }.reduce(0, +) / Double(cycles.count)
    let longest = cycles.map { Double($0.maximum) }.max() ?? .nan
    var table = Table(
      title: "The worst cycle: 32 instruments, 4096 messages, 50 controls and a scene",
      unit: "µs", reference: "period")
    let period = Double(frames) / 48_000 * 1e6
    for (name, time) in [("mean", mean), ("longest", longest)] {
      table.rows.append(Table.Row(name, ours: time / 1000, reference: period, aim: 1))
    }
    try table.show()
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

  /// Input noise and output buffers, allocated for the object's lifetime.
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
