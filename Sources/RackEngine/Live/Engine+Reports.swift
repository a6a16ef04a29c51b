import CKernel
import JackIO
import RackModel

extension Engine {
  /// Takes everything that has come up.
  func takeReports() {
    snapshot.rings = .init(
      commands: Int(bl_kernel_commands_waiting(kernel)),
      reports: Int(bl_kernel_reports_waiting(kernel)))
    if drivesKernel { _ = bl_kernel_begin_cycle(kernel) }
    var report = bl_report()
    while bl_kernel_receive(kernel, &report) {
      switch report.type {
      case BL_REPORT_GRAPH_RETIRED: free(report.graph)
      case BL_REPORT_FADES_FINISHED: finishedFades.insert(report.graph)
      case BL_REPORT_METER: take(report.meter)
      case BL_REPORT_TIMING: take(report.timing)
      case BL_REPORT_CYCLES: take(report.cycles)
      case BL_REPORT_NON_FINITE: takeNonFinite(report.fault)
      case BL_REPORT_LATENCY_EXCEEDED:
        let unit = unitName(report.fault.node) ?? "a unit"
        continuation.yield(
          .warning(
            "\(unit) has a latency above \(BL_MAXIMUM_LATENCY) frames; its path is late by the rest"
          ))
      case BL_REPORT_RENDER_FAILED:
        continuation.yield(.unit(unitName(report.fault.node) ?? "a unit", .doesNotRender))
      case BL_REPORT_UNAVAILABLE:
        absences.note(
          unit: unitName(report.fault.node) ?? "a unit", count: Int(report.fault.count))
      case BL_REPORT_CONTROL: take(report.control)
      case BL_REPORT_MIDI_INPUT: take(report.midi_input)
      case BL_REPORT_MIDI: take(report.midi)
      case BL_REPORT_MOVE: take(report.move)
      case BL_REPORT_MOVES_END: moves?.isWhole = true
      case BL_REPORT_EVENTS_LOST: losses.byKernel += Int(report.events)
      case BL_REPORT_EVENTS_DELAYED: losses.delayed += Int(report.events)
      case BL_REPORT_XRUN where report.xrun.cycle_time > 0:
        xruns.note(lateCycle(report.xrun))
      default: break
      }
    }
  }

  /// Lets the units of the rack tell what the render side has changed.
  func hearUnits() {
    for unit in rack?.units ?? [] { unit.audioUnit.takeRenderChanges() }
    tellBypasses()
    guard let presentGraph, !followsLatencies, !snapshot.serverIsAway,
      bl_graph_latency_changed(presentGraph)
    else {
      return
    }
    followsLatencies = true
    // A change of the rack may be under way, which reports must not wait for.
    Task { [weak self] in
      await self?.followLatencies()
      await self?.endFollowing()
    }
  }

  private func endFollowing() {
    followsLatencies = false
  }

  /// Tells what was lost, once a second at most.
  func tellLosses() async {
    guard losses.isDue() else { return }
    let client = session.client
    guard let dropped = try? await Patience.answer(to: { await client.midiDropped }) else { return }
    for sentence in losses.tell(lost: dropped.lost, malformed: dropped.malformed) {
      continuation.yield(.warning(sentence))
    }
    snapshot.events = losses.total
  }

  private func free(_ graph: OpaquePointer) {
    bl_graph_destroy(graph)
    finishedFades.remove(graph)
    holdings[graph] = nil
    releasePorts()
  }

  /// Takes the ports that no graph plays through any more from JACK.
  func releasePorts() {
    let unused = portSets.filter { set in
      set !== rack?.ports && !holdings.values.contains { $0.ports === set }
    }
    portSets.removeAll { set in unused.contains { $0 === set } }
    guard !unused.isEmpty else { return }
    Task { [client = session.client] in
      for set in unused { await client.unregister(set) }
    }
  }

  func unitName(_ identifier: UInt32) -> String? { unit(of: identifier)?.name }

  /// Of any graph that the kernel may still touch.
  func unit(of identifier: UInt32) -> RackUnit? {
    for holding in holdings.values {
      if let unit = holding.units.first(where: { $0.identifier == identifier }) { return unit }
    }
    return nil
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
        unitName(blame.node).map {
          .init(name: $0, nanoseconds: Double(blame.time), share: Double(blame.time) / period)
        }
      },
      late: late.compactMap(unitName))
  }

  /// Tells of new xruns, once a second at most.
  func tellXruns() {
    guard let event = xruns.tell(total: snapshot.xruns, at: .now) else { return }
    if case .xrun(_, let worst?) = event { snapshot.lastXrun = worst }
    continuation.yield(event)
  }

  /// Tells of units that did not answer, once a second at most.
  func tellAbsences() {
    for event in absences.tell(at: .now) { continuation.yield(event) }
  }

  private func take(_ report: bl_cycles_report) {
    snapshot.sampleTime = report.sample_time
    snapshot.cycle = .init(mean: report.mean, maximum: report.maximum)
  }

  private func takeNonFinite(_ report: bl_fault_report) {
    continuation.yield(.unit(unitName(report.node) ?? "a unit", .notFinite))
    if let place = unitPlaces[report.node] { snapshot.units[place].muted += Int(report.count) }
  }

  private func take(_ report: bl_meter_report) {
    if report.place == BL_METER_UNIT_OUTPUT {
      rack?.trail.note(report.node, peak: report.peak, at: snapshot.sampleTime)
      return takeUnitMeter(report)
    }
    guard let plan = rack?.plan else { return }
    let (ports, meters) =
      report.place == BL_METER_RACK_INPUT
      ? (plan.inputs, \EngineSnapshot.inputs) : (plan.outputs, \EngineSnapshot.outputs)
    guard Int(report.bus) < ports.count,
      Int(report.channel) < ports[Int(report.bus)].channelCount
    else { return }
    let place =
      ports[..<Int(report.bus)].reduce(0) { $0 + $1.channelCount } + Int(report.channel)
    snapshot[keyPath: meters][place].rms = report.mean_square.squareRoot()
    let first = report.place == BL_METER_RACK_INPUT ? 0 : snapshot.inputs.count
    peaks.note(report.peak, at: first + place)
  }

  /// Ends the interval that the peaks of a snapshot are of at least.
  func endPeakInterval() {
    takeReports()
    peaks.endInterval(at: snapshot.sampleTime)
  }

  /// The channels of a bus come in order, so the first begins anew.
  private func takeUnitMeter(_ report: bl_meter_report) {
    guard report.bus == 0, let place = unitPlaces[report.node] else { return }
    let rms = report.mean_square.squareRoot()
    peaks.note(report.peak, at: snapshot.inputs.count + snapshot.outputs.count + place)
    snapshot.units[place].rms = report.channel == 0 ? rms : max(snapshot.units[place].rms, rms)
  }

  private func take(_ report: bl_timing_report) {
    guard let place = unitPlaces[report.node] else { return }
    let cycle = Double(snapshot.bufferSize) / snapshot.sampleRate * 1e9
    snapshot.units[place].minimum = report.minimum
    snapshot.units[place].mean = report.mean
    snapshot.units[place].p50 = report.p50
    snapshot.units[place].p99 = report.p99
    snapshot.units[place].maximum = report.maximum
    snapshot.units[place].share = Double(report.mean) / cycle
  }
}
