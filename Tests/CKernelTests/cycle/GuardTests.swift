import BacklineTestSupport
import CKernel
import CTestUnits
import Foundation
import Testing

/// NaN and infinity never reach an output; meters and timings are reported.
struct GuardTests {
  private func oneUnit() throws -> KernelHost {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    return host
  }

  private let ones = [Float](repeating: 1, count: 4096)

  @Test func aUnitThatRendersNonsenseIsMutedResetAndNamed() throws {
    let host = try oneUnit()
    host.schedule(0, parameter: 1, value: 1, at: 256)
    host.schedule(0, parameter: 1, value: 0, at: 320)
    let output = host.render([ones], frames: 2048)[0]
    #expect(output[..<256].allSatisfy { $0 == 1 })
    #expect(output[256..<320].allSatisfy { $0 == 0 })
    #expect(output[320] < 0.01 && output[2047] == 1)
    let steps = zip(output[320...], output[321...]).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 >= 0 && $0 < 0.005 })
    #expect(bl_test_reset_count(host.units[0]) == 1)
    let reports = host.reports.filter { $0.type == BL_REPORT_NON_FINITE }
    #expect(reports.count == 1 && reports.first?.fault.node == 0)
  }

  /// A unit that renders NaN is reported once for each full second of it.
  @Test func aUnitThatStaysBrokenIsNamed() throws {
    let host = try oneUnit()
    for (seconds, count) in [(0.9, 0), (2.5, 2)] {
      let start = bl_kernel_sample_time(host.kernel)
      let frames = Int(seconds * 48_000) / 64 * 64
      host.schedule(0, parameter: 1, value: 1, at: start)
      host.schedule(0, parameter: 1, value: 0, at: start + Int64(frames))
      _ = host.render([[Float](repeating: 1, count: frames + 4096)], frames: frames + 4096)
      #expect(host.count(BL_REPORT_STAYS_NON_FINITE) == count)
    }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func whatComesInBrokenIsSilence(value: Float) throws {
    let host = try oneUnit()
    var input = ones
    input[70] = value
    let output = host.render([input], frames: 256)[0]
    #expect(output.allSatisfy { $0.isFinite })
    #expect(output[..<64].allSatisfy { $0 == 1 } && output[128...].allSatisfy { $0 == 1 })
    #expect(bl_test_reset_count(host.units[0]) == 0)
  }

  @Test func denormalsAreFlushed() throws {
    let host = try oneUnit()
    let tiny = [Float](repeating: .leastNonzeroMagnitude * 1000, count: 64)
    #expect(host.render([tiny], frames: 64)[0].allSatisfy { $0 == 0 })
    // The caller's own arithmetic still has denormals.
    var denormal = Float.leastNormalMagnitude
    denormal *= 0.5
    #expect(denormal > 0)
  }

  @Test func metersShowPeakAndPower() throws {
    let host = try oneUnit()
    let sine = (0..<48_000).map { Float(sin(2 * Double.pi * 1000 * Double($0) / 48_000)) * 0.5 }
    host.schedule(0, value: 0.5, at: 0)
    _ = host.render([sine], frames: 48_000)
    func levels(_ levels: [bl_level]) -> [(peak: Float, meanSquare: Float)] {
      levels.map { ($0.peak, $0.mean_square) }
    }
    let units = host.telemetry.flatMap(\.units)
    #expect(units.allSatisfy { $0.peak_of_all == $0.peak })
    for (own, peak) in [
      (levels(host.telemetry.flatMap(\.inputs)), Float(0.5)),
      (units.map { ($0.peak, $0.mean_square) }, 0.25),
      (levels(host.telemetry.flatMap(\.outputs)), 0.25),
    ] {
      #expect((20...30).contains(own.count), "\(own.count) reports in a second")
      for meter in own {
        #expect(abs(meter.peak - peak) < 0.001)
        #expect(abs(meter.meanSquare - peak * peak / 2) < 0.02 * peak * peak)
      }
    }
  }

  @Test func timingsAndCyclesAreReported() throws {
    let host = try oneUnit()
    _ = host.render([[Float](repeating: 1, count: 48_000)], frames: 48_000)
    let timings = host.telemetry.flatMap(\.units)
    #expect((28...750).contains(timings.map { Int($0.cycles) }.reduce(0, +)))
    for timing in timings {
      #expect(timing.minimum > 0 && timing.minimum <= timing.mean)
      #expect(timing.mean <= timing.maximum && timing.p99 <= timing.maximum)
      #expect(timing.p99 >= timing.p50 && timing.p50 >= timing.minimum)
    }
    let cycles = host.telemetry.map(\.cycle)
    #expect(cycles.allSatisfy { $0.frames == 64 * $0.cycles && $0.mean <= $0.maximum })
  }

  @Test func cheapUnitsAreTimedInTurn() throws {
    let host = KernelHost()
    var cables = [KernelHost.cable(nil, 0)]
    for unit in 0..<8 {
      host.add(TestUnit.scale.descriptor)
      cables.append(KernelHost.cable(unit, unit == 7 ? nil : unit + 1))
    }
    host.play(try host.lower(cables))
    _ = host.render([[Float](repeating: 1, count: 48_000)], frames: 48_000)
    let timings = host.telemetry.flatMap(\.units)
    for unit in UInt32(0)..<8 {
      let timed = timings.filter { $0.node == unit }.map { Int($0.cycles) }.reduce(0, +)
      // A unit is timed once in 1536 frames, or in every cycle if it is slow. Its last timings may
      // not have been reported yet.
      #expect((28...750).contains(timed), "unit \(unit) was timed in \(timed) cycles")
    }
  }

  @Test func aLateCycleNamesItsLongestUnit() throws {
    let host = try oneUnit()
    _ = host.render([ones], frames: 64)
    bl_kernel_report_xrun(host.kernel, 1500)
    _ = host.render([ones], frames: 64)
    let xrun = try #require(host.reports.first { $0.type == BL_REPORT_XRUN }).xrun
    #expect(xrun.delay == 1500 && xrun.frames == 64 && xrun.blamed_count == 1)
    #expect(xrun.blamed.0.node == 0 && xrun.late_count == 0)
    #expect(xrun.blamed.0.time > 0 && xrun.blamed.0.time <= xrun.cycle_time)
  }

  /// A chain of five units, one of them in another process that does not answer. Each unit is timed
  /// in its first cycle.
  @Test(arguments: [64, 4096])
  func aLateCycleNamesTheThreeThatTookMostAndWhoWasLate(frames: Int) throws {
    let host = KernelHost()
    for _ in 0..<4 { host.add(TestUnit.scale.descriptor) }
    let remote = host.addElsewhere(TestUnit.scale.descriptor)
    let chain = [nil] + (0..<5).map { Optional($0) } + [nil]
    host.play(try host.lower(zip(chain, chain.dropFirst()).map { KernelHost.cable($0, $1) }))
    host.answer(remote, with: Int(BL_ERROR_UNAVAILABLE))
    _ = host.render([ones], frames: frames, cycles: [frames])
    bl_kernel_report_xrun(host.kernel, 10)
    _ = host.render([ones], frames: 64)
    let xrun = try #require(host.reports.first { $0.type == BL_REPORT_XRUN }).xrun
    let blamed = [xrun.blamed.0, xrun.blamed.1, xrun.blamed.2]
    #expect(xrun.blamed_count == 3 && Set(blamed.map(\.node)).count == 3)
    #expect(blamed.map(\.time) == blamed.map(\.time).sorted(by: >) && blamed[2].time > 0)
    #expect(blamed.map(\.time).reduce(0, +) <= xrun.cycle_time)
    #expect(xrun.late_count == 1 && xrun.late.0 == UInt32(remote))
  }

  /// The report ring is full: faults and xruns wait, and are reported once it has room.
  @Test func whatFindsNoRoomIsToldLater() throws {
    let host = KernelHost(ringCapacity: 2)
    host.add(TestUnit.scale.descriptor)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    _ = host.render([ones], frames: 64)
    host.receivesReports = false
    for number in 0..<3 {
      bl_kernel_report_xrun(host.kernel, Float(100 * number))
      for fault in [1, 0] as [Float] {
        host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
          $0.parameter = bl_parameter_event(
            address: 1, value: fault, ramp_duration: 0, is_line: false)
        }
        _ = host.render([ones], frames: 64)
      }
    }
    host.play(try host.lower([KernelHost.cable(nil, nil)]))
    _ = host.render([ones], frames: 64)
    host.receivesReports = true
    for _ in 0..<8 { _ = host.render([ones], frames: 64) }
    let faults = host.reports.filter { $0.type == BL_REPORT_NON_FINITE }.map(\.fault)
    #expect(faults.map { Int($0.count) }.reduce(0, +) == 3 && faults.allSatisfy { $0.node == 0 })
    let xruns = host.reports.filter { $0.type == BL_REPORT_XRUN }.map(\.xrun)
    #expect(xruns.map { Int($0.count) }.reduce(0, +) == 3 && xruns.map(\.delay).max() == 200)
    // The faults must be reported before the graph retires, while the unit's name is known.
    let order = host.reports.map(\.type)
    let retired = try #require(order.lastIndex(of: BL_REPORT_GRAPH_RETIRED))
    #expect(try #require(order.lastIndex(of: BL_REPORT_NON_FINITE)) < retired)
  }
}
