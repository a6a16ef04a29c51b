import AudioUnits
import CKernel
import Documents
import RackModel
import SoundFiles

/// Plays a rack into files, as fast as the processor can, with the very kernel that plays it live.
public final class OfflineRenderer {
  private let plan: Plan
  private let job: OfflineJob
  private let format: RenderFormat
  private let inputs: [SoundFileReader?]
  private let units: [RackUnit]
  private let kernel: OpaquePointer
  private let gate: CommandGate
  private let graph: OfflineGraph
  /// Of the graph, and not seen to yet.
  private var hasFaded = false
  private var result: OfflineResult

  /// Seconds that the sound may take to die away when a tail has no end.
  static let longestTail = 30.0
  /// Seconds that files and lanes may last where the job has no `length`.
  static let longestMaterial = 24.0 * 3600
  /// Seconds rendered when nothing says how long.
  public static let usualLength = 10.0
  /// Below this, -100 dB, there is silence.
  private static let silence: Float = 1e-5
  /// Seconds of silence that are the end where a tail has none: no echo comes as late.
  private static let longestPause = 5.0

  /// Opens the inputs and makes the units.
  ///
  /// - Throws: `RackError` naming the file, port or unit.
  public init(
    _ plan: Plan, catalogue: ComponentCatalogue, job: OfflineJob
  ) throws {
    try job.check(against: plan)
    var plan = plan
    let targets = Set(job.automation.map(\.target))
    plan.automation.removeAll { targets.contains($0.target) }
    plan.automation += job.automation
    self.plan = plan
    self.job = job
    let rate = try job.renderRate(of: plan)
    format = RenderFormat(
      sampleRate: rate, maximumFrames: plan.dependsOnCycle ? job.blockFrames : 1024)
    var inputs: [SoundFileReader?] = []
    for port in plan.inputs { inputs.append(try job.open(port, rate: rate)) }
    self.inputs = inputs
    do {
      gate = try CommandGate()
    } catch {
      throw RackError(error.reason)
    }
    var units: [RackUnit] = []
    for (place, planned) in plan.units.enumerated() {
      units.append(
        try RackUnit(
          planned, identifier: UInt32(place), catalogue: catalogue, format: format,
          gate: gate))
    }
    self.units = units
    RackProcesses(plan, units: units).settle(period: Double(job.blockFrames) / rate)
    graph = try OfflineGraph(plan, units: units, format: format)
    var configuration = bl_kernel_configuration()
    configuration.sample_rate = rate
    guard let kernel = bl_kernel_create(&configuration) else {
      bl_graph_destroy(graph.pointer)
      throw RackError("memory is short")
    }
    self.kernel = kernel
    gate.open(kernel)
    graph.send(to: kernel)
    result = OfflineResult(
      frames: 0, sampleRate: rate, peak: 0, clippedSamples: [:], incompleteInputs: [],
      faultyUnits: [], absentUnits: [], lostEvents: 0)
  }

  deinit {
    gate.shut()
    bl_kernel_destroy(kernel)
  }

  /// Renders everything; `progress` hears of the share done, 0...1, and ends the rendering by
  /// throwing.
  ///
  /// The files appear when all of them are complete; on an error there are none.
  public func render(
    progress: (Double) throws -> Void = { _ in }
  ) throws -> OfflineResult {
    var writers: [SoundFileWriter?] = []
    for port in plan.outputs {
      guard let path = job.outputs[port.name] else {
        writers.append(nil)
        continue
      }
      writers.append(
        try SoundFileWriter(
          path: path, channelCount: port.channelCount, sampleRate: format.sampleRate,
          samples: job.samples, isDithered: job.isDithered))
    }
    let sink = OutputSink(
      plan: plan, writers: writers,
      skip: graph.latencies.map { job.removesLatency ? $0 : 0 })
    let midiSink = MIDISink(
      paths: plan.midiOutputs.map { job.outputs[$0.name] },
      skip: graph.midiLatencies.map { job.removesLatency ? $0 : 0 }, sampleRate: format.sampleRate)
    try renderAll(into: sink, midiSink, progress)
    for (port, file) in zip(plan.inputs, inputs) where file?.isCutShort == true {
      if let path = job.inputs[port.name] { result.incompleteInputs.append(path) }
    }
    for writer in writers { try writer?.complete() }
    try midiSink.complete(upTo: result.frames)
    try WholeFile.putInPlace(
      writers.compactMap { $0.map { ($0.temporaryPath, $0.place) } }
        + midiSink.files.map { ($0.temporary, $0.place) })
    for case let writer? in writers where writer.clippedSamples > 0 {
      result.clippedSamples[writer.path] = writer.clippedSamples
    }
    return result
  }

  private func renderAll(
    into sink: OutputSink, _ midiSink: MIDISink, _ progress: (Double) throws -> Void
  ) throws {
    let latency = sink.skip.max() ?? 0
    let firstLatency = graph.latencies.max() ?? 0
    var body = bodyFrames
    guard job.length != nil || Double(body) <= Self.longestMaterial * format.sampleRate else {
      throw RackError(
        "the files and lanes last \(body / Int(format.sampleRate) / 3600) hours, more than 24; "
          + "give --length to render more")
    }
    var end = body + (job.length == nil ? tailFrames : 0)
    let cycle = OfflineCycle(
      plan: plan, inputs: inputs, messages: job.messages, tempo: plan.tempo,
      format: format, sink: midiSink)
    let waiting = units.filter(\.audioUnit.mayHaveToWait)
    var done = 0
    var quietFrames = 0
    var isInTail = job.length != nil
    var isEndless = false
    while done < end + latency {
      let stop = done < body ? body : end + latency
      let look = OfflineGraph.interval - done % OfflineGraph.interval
      let frames = min(job.blockFrames, stop - done, look)
      for unit in waiting { unit.audioUnit.waitUntilReady(frames: frames) }
      try cycle.play(kernel, from: done, frames: frames, upTo: body)
      let peak = try sink.take(cycle.outputs, frames: frames, upTo: end)
      result.peak = max(result.peak, peak)
      receiveReports()
      try checkProcesses()
      done += frames
      if frames == look { try followLatencies() }
      if done < body && inputs.contains(where: { $0?.isCutShort == true }) {
        // A file that breaks off has told us a length that it does not have.
        body = max(done, bodyFrames)
      }
      if done >= body && !isInTail {
        // Automation may have changed it.
        for unit in units { unit.audioUnit.takeRenderChanges() }
        // Nor must what comes later by now than at first be cut off.
        end = body + tailFrames + max(0, (graph.latencies.max() ?? 0) - firstLatency)
        isEndless = tailTime > Self.longestTail
        isInTail = true
      }
      try progress(Double(done) / Double(end + latency))
      quietFrames = done > body + latency && peak < Self.silence ? quietFrames + frames : 0
      // What would ring for ever, as far as it knows, may have died away.
      if isEndless && Double(quietFrames) > Self.longestPause * format.sampleRate {
        end = min(end, done - latency)
        break
      }
    }
    result.frames = end
    try progress(1)
  }

  private func followLatencies() throws {
    if hasFaded { try graph.endFades(on: kernel) }
    hasFaded = false
    try graph.follow(on: kernel)
  }

  /// How long the material is, without what rings on.
  private var bodyFrames: Int {
    if let length = job.length { return Int(clamping: length * format.sampleRate) }
    let files = inputs.map { $0?.frameCount ?? 0 }.max() ?? 0
    let events = job.messages.map(\.time) + job.automation.map { $0.end(tempo: plan.tempo) }
    let last = Int(clamping: max(0, events.max() ?? 0) * format.sampleRate)
    if files == 0 && job.messages.isEmpty {
      // A rack's lanes may be for a whole evening: they are a measure where there is no other.
      let lanes = plan.automation.map { $0.end(tempo: plan.tempo) }.max() ?? 0
      return max(Int(clamping: max(Self.usualLength, lanes) * format.sampleRate), last)
    }
    return max(files, last)
  }

  private var tailTime: Double { plan.tailTime(unitTails: units.map(\.audioUnit.tailTime)) }

  private var tailFrames: Int {
    Int(clamping: (min(tailTime, Self.longestTail) * format.sampleRate).rounded(.up))
  }

  /// A file in which a unit is missing for a while is no use to anybody.
  private func checkProcesses() throws {
    for unit in units {
      guard let statistics = unit.audioUnit.processStatistics,
        statistics.late + statistics.absent > 0
      else { continue }
      let reason = unit.audioUnit.processTrouble ?? "its process does not answer"
      throw RackError("unit \(unit.planned.name): \(reason)")
    }
  }

  private func receiveReports() {
    var report = bl_report()
    while bl_kernel_receive(kernel, &report) {
      switch report.type {
      case BL_REPORT_UNAVAILABLE:
        let name = units[Int(report.fault.node)].planned.name
        if !result.absentUnits.contains(name) { result.absentUnits.append(name) }
      case BL_REPORT_NON_FINITE, BL_REPORT_RENDER_FAILED:
        let name = units[Int(report.fault.node)].planned.name
        if !result.faultyUnits.contains(name) { result.faultyUnits.append(name) }
      case BL_REPORT_FADES_FINISHED: hasFaded = true
      case BL_REPORT_GRAPH_RETIRED: bl_graph_destroy(report.graph)
      case BL_REPORT_EVENTS_LOST: result.lostEvents += Int(report.events)
      default: break
      }
    }
  }
}
