import AudioUnits
import CKernel
import JackIO
import RackModel

extension Engine {
  /// Handles the kernel's reports and telemetry.
  func receiveReports() {
    snapshot.rings = .init(
      commands: Int(bl_kernel_commands_waiting(kernel.pointer)),
      reports: Int(bl_kernel_reports_waiting(kernel.pointer)))
    let graphCount = kernel.graphs.count
    kernel.receiveReports(receive)
    kernel.readTelemetry(receive)
    if kernel.graphs.count < graphCount { releasePorts() }
  }

  private func receive(_ report: bl_report) {
    switch report.type {
    case BL_REPORT_NON_FINITE:
      self.report(.unit(unitName(report.fault.node), .notFinite))
      if let index = meters.index(ofUnit: report.fault.node) {
        snapshot.units[index].muted += Int(report.fault.count)
      }
    case BL_REPORT_STAYS_NON_FINITE:
      kernel.unit(report.fault.node)?.audioUnit.renewProcess(
        because: "it produced NaN or infinity for a second, in spite of resets")
    case BL_REPORT_LATENCY_EXCEEDED:
      self.report(
        .warning(
          "\(unitName(report.fault.node)) has a latency above \(BL_MAXIMUM_LATENCY) frames;"
            + " its path is late by the rest"))
    case BL_REPORT_RENDER_FAILED:
      self.report(.unit(unitName(report.fault.node), .doesNotRender))
    case BL_REPORT_UNAVAILABLE:
      faults.addAbsences(of: unitName(report.fault.node), count: Int(report.fault.count))
    case BL_REPORT_TOO_LOUD: receive(report.loud)
    case BL_REPORT_CONTROL: receive(report.control)
    case BL_REPORT_MIDI: receive(report.midi)
    case BL_REPORT_MOVE: receive(report.move)
    case BL_REPORT_MOVES_END: moves?.isComplete = true
    case BL_REPORT_GESTURE: receive(report.gesture)
    case BL_REPORT_LOG: receive(report.log)
    case BL_REPORT_EVENTS_LOST: faults.lostEvents += Int(report.events)
    case BL_REPORT_EVENTS_DELAYED: faults.delayedEvents += Int(report.events)
    case BL_REPORT_XRUN where report.xrun.cycle_time > 0: faults.add(lateCycle(report.xrun))
    default: break
    }
  }

  /// Unregisters the ports that no graph uses any more.
  func releasePorts() {
    let unused = portSets.filter { set in
      set !== rack?.ports && !kernel.graphs.values.contains { $0.ports === set }
    }
    portSets.removeAll { set in unused.contains { $0 === set } }
    guard !unused.isEmpty else { return }
    Task { [client = server.client] in
      for set in unused { await client.unregister(set) }
    }
  }

  private func receive(_ report: bl_loud_report) {
    guard let plan = rack?.plan else { return }
    self.report(
      .tooLoud(LoudOutput(report, outputs: plan.outputs) { kernel.unit($0)?.name }))
    if let index = meters.index(ofUnit: report.node) {
      snapshot.units[index].muted += Int(report.count)
    }
  }

  private func receive(_ report: bl_gesture_report) {
    guard let unit = kernel.unit(report.node) else { return }
    unit.audioUnit.follow(UnitGesture(report))
    unit.applyRenderChanges()
    unit.audioUnit.show(report.address)
    log.observer?(.gesture(unit: unit.name, UnitGesture(report)))
  }

  private func receive(_ report: bl_log_report) {
    let text = withUnsafeBytes(of: report.text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.report(.unit(unitName(report.node), .line(text, lost: Int(report.lost))))
  }

  private func unitName(_ identifier: UInt32) -> String {
    kernel.unit(identifier)?.name ?? "a unit"
  }

  private func lateCycle(_ report: bl_xrun_report) -> LateCycle {
    let period = Double(max(report.frames, 1)) / snapshot.sampleRate * 1e9
    let blamed = withUnsafeBytes(of: report.blamed) {
      Array($0.bindMemory(to: bl_blame.self).prefix(Int(report.blamed_count)))
    }
    let late = withUnsafeBytes(of: report.late) {
      Array($0.bindMemory(to: UInt32.self).prefix(Int(report.late_count)))
    }
    return LateCycle(
      nanoseconds: Double(report.cycle_time),
      share: Double(report.cycle_time) / period,
      units: blamed.compactMap { blame in
        kernel.unit(blame.node).map {
          .init(name: $0.name, nanoseconds: Double(blame.time), share: Double(blame.time) / period)
        }
      },
      late: late.compactMap { kernel.unit($0)?.name })
  }

  private func receive(_ telemetry: bl_telemetry) {
    let cycle = telemetry.cycle
    snapshot.sampleTime = cycle.sample_time
    snapshot.cycle = .init(
      mean: cycle.mean, maximum: cycle.maximum, threads: Int(cycle.threads))
    receive(telemetry.inputs, telemetry.input_count, \.inputs, at: 0)
    receive(telemetry.outputs, telemetry.output_count, \.outputs, at: snapshot.inputs.count)
    for index in 0..<Int(telemetry.unit_count) { receive(telemetry.units[index]) }
    for port in 0..<Int(telemetry.midi_input_count) {
      receive(telemetry.midi_inputs[port], at: port)
    }
  }

  /// - Parameter first: the index of the first level's peak.
  private func receive(
    _ levels: UnsafePointer<bl_level>, _ count: UInt32,
    _ meters: WritableKeyPath<EngineSnapshot, [EngineSnapshot.Meter]>, at first: Int
  ) {
    for index in 0..<min(Int(count), snapshot[keyPath: meters].count) {
      snapshot[keyPath: meters][index].rms = levels[index].mean_square.squareRoot()
      self.meters.add(levels[index].peak, ofPort: first + index)
    }
  }

  /// Ends the shortest interval that the peaks of a snapshot cover.
  func endPeakInterval() {
    receiveReports()
    meters.endInterval(at: snapshot.sampleTime)
  }

  private func receive(_ report: bl_unit_telemetry) {
    rack?.spillover.add(report.node, peak: report.peak_of_all, at: snapshot.sampleTime)
    guard let index = meters.index(ofUnit: report.node) else { return }
    meters.add(report.peak, ofUnit: index)
    let cycle = Double(snapshot.bufferSize) / snapshot.sampleRate * 1e9
    snapshot.units[index].apply(report, cycle: cycle)
  }
}

extension EngineSnapshot.UnitTime {
  /// - Parameter cycle: nanoseconds.
  fileprivate mutating func apply(_ report: bl_unit_telemetry, cycle: Double) {
    rms = report.mean_square.squareRoot()
    guard report.cycles > 0 else { return }
    (minimum, mean, maximum) = (report.minimum, report.mean, report.maximum)
    (p50, p99) = (report.p50, report.p99)
    share = Double(mean) / cycle
  }
}
