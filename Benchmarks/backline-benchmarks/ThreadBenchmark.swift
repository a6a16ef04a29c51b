import BacklineTestSupport
import CBenchmarks
import CKernel
import CUnit
import Glibc

/// Equal branches of real work, rendered by two threads beside one.
enum ThreadBenchmark {
  private static let rounds = 21
  /// The units of a branch.
  private static let units = ["dist", "eqpm", "rvrb", "rvrb", "rvrb", "rvrb"].map {
    BuiltInUnit("aufx/\($0)/bkln")
  }

  static func run() throws {
    var table = Table(title: "Two threads", unit: "µs per cycle", reference: "one thread")
    for branches in [2, 4] {
      for (name, frames, aim) in [
        ("offline, 1024 frames", 1024, 1.8), ("live, 256 frames", 256, 1.6),
      ] {
        let isLive = name.hasPrefix("live")
        let hosts = try [2, 1].map { try host(branches, threads: $0, isLive: isLive) }
        let times = try Measurement.interleaved(
          rounds: rounds, hosts.map { host in { cycleTime(host, frames, isLive: isLive) } })
        table.rows.append(
          Table.Row(
            "\(branches) branches, \(name)", ours: times[0], reference: times[1], aim: 1 / aim))
      }
    }
    try table.show()
  }

  private static func host(_ branches: Int, threads: Int, isLive: Bool) throws -> KernelHost {
    let host = KernelHost(threads: threads, creating: isLive ? bl_create_realtime_thread : nil)
    let mixer = branches * units.count
    var cables: [bl_cable] = []
    for branch in 0..<branches {
      for (index, unit) in units.enumerated() {
        let node = host.add(unit.descriptor, inputs: [2], outputs: [2])
        cables.append(KernelHost.cable(index == 0 ? nil : node - 1, node))
      }
      cables.append(KernelHost.cable((branch + 1) * units.count - 1, mixer, to: branch))
    }
    host.add(
      BuiltInUnit("aumx/mixr/bkln").descriptor, inputs: [UInt32](repeating: 2, count: branches),
      outputs: [2])
    cables.append(KernelHost.cable(mixer, nil))
    host.play(try host.lower(cables, inputs: [2], outputs: [2]))
    return host
  }

  /// Returns the median time of a cycle, microseconds. Live, threads have real-time priority and sleep
  /// between the cycles.
  private static func cycleTime(_ host: KernelHost, _ frames: Int, isLive: Bool) -> Double {
    let input = noise(frames).map { $0 * 0.25 }
    let output = [[Float]](repeating: input, count: 2).map { channel in
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      pointer.update(from: channel, count: frames)
      return pointer
    }
    defer { for pointer in output { pointer.deallocate() } }
    let outputs: [UnsafeMutablePointer<Float>?] = output
    return input.withUnsafeBufferPointer { input in
      let inputs: [UnsafePointer<Float>?] = [input.baseAddress, input.baseAddress]
      return inputs.withUnsafeBufferPointer { inputs in
        outputs.withUnsafeBufferPointer { outputs in
          var cycle = bl_cycle()
          cycle.frames = UInt32(frames)
          cycle.inputs = inputs.baseAddress
          cycle.outputs = outputs.baseAddress
          _ = bl_take_realtime(isLive)
          defer { _ = bl_take_realtime(false) }
          var times: [Double] = []
          for _ in 0..<Measurement.amount(40, short: 3) {
            times.append(
              Measurement.wallSeconds { bl_loop_kernel(host.kernel, &cycle, 1) } * 1e6)
            if isLive { usleep(UInt32(Double(frames) / 48_000 * 1e6)) }
          }
          host.receiveReports()
          return Measurement.median(times)
        }
      }
    }
  }
}
