import AudioUnits
import CKernel
import RackModel

/// Plays a rack into files, as fast as the processor can, with the very kernel that plays it live.
public final class OfflineRenderer {
  private let plan: Plan
  private let job: OfflineJob
  private let format: RenderFormat
  private let inputs: [SoundFileReader?]
  private let units: [RackUnit]
  private let kernel: OpaquePointer
  private let graph: OpaquePointer
  private var result: OfflineResult

  /// Seconds that the sound may take to die away when a tail has no end.
  static let longestTail = 30.0
  /// Seconds rendered when nothing says how long.
  public static let usualLength = 10.0
  /// Below this, -100 dB, the tail is over.
  private static let silence: Float = 1e-5

  /// Opens the inputs and makes the units.
  ///
  /// - Throws: `RackError` naming the file, port or unit.
  public init(
    _ plan: Plan, catalogue: ComponentCatalogue, job: OfflineJob
  ) throws(RackError) {
    try Self.checkNames(plan, job)
    self.plan = plan
    self.job = job
    var rate = 48_000.0
    if let asked = job.sampleRate {
      rate = asked
    } else if let own = try Self.rateOfInputs(plan, job) {
      rate = own
    }
    guard (1000...768_000).contains(rate) else {
      throw RackError("a sample rate of \(rate) Hz is out of reach (1000 Hz to 768 kHz)")
    }
    // A feedback cable is a cycle late, so there a cycle must be the block.
    format = RenderFormat(
      sampleRate: rate, maximumFrames: plan.hasFeedback ? job.blockFrames : 1024)
    var inputs: [SoundFileReader?] = []
    for port in plan.inputs {
      inputs.append(try Self.open(port, job: job, rate: rate))
    }
    self.inputs = inputs
    var units: [RackUnit] = []
    for (place, planned) in plan.units.enumerated() {
      units.append(
        try RackUnit(
          planned, identifier: UInt32(place), catalogue: catalogue, format: format))
    }
    self.units = units
    graph = try PlanLowering.lower(.init(plan, units: units), ports: plan, format: format)
    var configuration = bl_kernel_configuration()
    configuration.sample_rate = rate
    guard let kernel = bl_kernel_create(&configuration) else {
      bl_graph_destroy(graph)
      throw RackError("memory is short")
    }
    self.kernel = kernel
    var command = bl_command()
    command.type = BL_COMMAND_SET_GRAPH
    command.graph = graph
    bl_kernel_send(kernel, &command)
    bl_kernel_begin_cycle(kernel)
    result = OfflineResult(
      frames: 0, sampleRate: rate, peak: 0, clippedSamples: [:], faultyUnits: [], lostEvents: 0)
  }

  deinit { bl_kernel_destroy(kernel) }

  /// Renders everything; `progress` hears of the share done, 0...1.
  ///
  /// The files appear when all is rendered; on an error there are none.
  public func render(progress: (Double) -> Void = { _ in }) throws(RackError) -> OfflineResult {
    var writers: [SoundFileWriter?] = []
    for port in plan.outputs {
      guard let path = job.outputs[port.name] else {
        writers.append(nil)
        continue
      }
      writers.append(
        try SoundFileWriter(
          path: path, channelCount: port.channelCount, sampleRate: format.sampleRate,
          samples: job.samples))
    }
    let sink = OutputSink(
      plan: plan, writers: writers,
      skip: plan.outputs.indices.map {
        job.removesLatency ? Int(bl_graph_latency(graph, UInt32($0))) : 0
      })
    try renderAll(into: sink, progress)
    for writer in writers {
      try writer?.finish()
      if let writer, writer.clippedSamples > 0 {
        result.clippedSamples[writer.path] = writer.clippedSamples
      }
    }
    return result
  }

  private func renderAll(
    into sink: OutputSink, _ progress: (Double) -> Void
  ) throws(RackError) {
    let latency = sink.skip.max() ?? 0
    let body = bodyFrames
    let tail = job.length == nil ? tailFrames : 0
    let cycle = OfflineCycle(plan: plan, inputs: inputs, messages: job.messages, format: format)
    var automation = job.automation.sorted { $0.time < $1.time }[...]
    let waiting = units.filter(\.audioUnit.mayHaveToWait)
    var done = 0
    var quietFrames = 0
    while done < body + tail + latency {
      let frames = min(job.blockFrames, body + tail + latency - done)
      for unit in waiting { unit.audioUnit.waitUntilReady(frames: frames) }
      schedule(&automation, before: done + frames)
      cycle.play(kernel, from: done, frames: frames, upTo: body)
      let peak = try sink.take(cycle.outputs, frames: frames)
      result.peak = max(result.peak, peak)
      receiveReports()
      done += frames
      progress(Double(done) / Double(body + tail + latency))
      quietFrames = done > body + latency && peak < Self.silence ? quietFrames + frames : 0
      // A repeating echo may be longer apart than this; two seconds of silence are the end.
      if quietFrames > Int(format.sampleRate * 2) { break }
    }
    result.frames = max(0, done - latency)
    progress(1)
  }

  /// How long the material is, without what rings on.
  private var bodyFrames: Int {
    if let length = job.length { return Int((length * format.sampleRate).rounded()) }
    let files = inputs.map { $0?.frameCount ?? 0 }.max() ?? 0
    let events = job.messages.map(\.time) + job.automation.map { $0.time + $0.ramp }
    let last = Int(((events.max() ?? 0) * format.sampleRate).rounded(.up))
    if files == 0 && job.messages.isEmpty {
      return max(Int(Self.usualLength * format.sampleRate), last)
    }
    return max(files, last)
  }

  private var tailFrames: Int {
    let tail = plan.tailTime(unitTails: units.map(\.audioUnit.tailTime))
    return Int(min(tail, Self.longestTail) * format.sampleRate)
  }

  /// Sends down what is due soon, so that the schedule never fills.
  private func schedule(_ automation: inout ArraySlice<OfflineJob.Automation>, before end: Int) {
    while let next = automation.first, next.time * format.sampleRate < Double(end) {
      automation = automation.dropFirst()
      var command = bl_command()
      command.type = BL_COMMAND_SCHEDULE
      command.node = units[next.unit].node
      command.event = bl_event()
      command.event.sample_time = Int64((next.time * format.sampleRate).rounded())
      let ramp = (next.ramp * format.sampleRate).rounded()
      command.event.type = ramp >= 1 ? BL_EVENT_PARAMETER_RAMP : BL_EVENT_PARAMETER
      command.event.parameter = bl_parameter_event(
        address: next.address, value: next.value, ramp_duration: UInt32(min(max(ramp, 0), 4e9)))
      if !bl_kernel_send(kernel, &command) { result.lostEvents += 1 }
    }
  }

  private func receiveReports() {
    var report = bl_report()
    while bl_kernel_receive(kernel, &report) {
      switch report.type {
      case BL_REPORT_NON_FINITE:
        let name = units[Int(report.node)].planned.name
        if !result.faultyUnits.contains(name) { result.faultyUnits.append(name) }
      case BL_REPORT_EVENTS_LOST: result.lostEvents += Int(report.lost)
      default: break
      }
    }
  }

  private static func checkNames(_ plan: Plan, _ job: OfflineJob) throws(RackError) {
    for (kind, names, ports) in [
      ("input", job.inputs.keys.sorted(), plan.inputs),
      ("output", job.outputs.keys.sorted(), plan.outputs),
    ] {
      for name in names where !ports.contains(where: { $0.name == name }) {
        let known = ports.map(\.name).joined(separator: ", ")
        throw RackError(
          "rack \(plan.name) has no audio \(kind) \(name); "
            + (known.isEmpty ? "it has none" : "it has \(known)"))
      }
    }
  }

  private static func rateOfInputs(_ plan: Plan, _ job: OfflineJob) throws(RackError) -> Double? {
    for port in plan.inputs {
      guard let path = job.inputs[port.name] else { continue }
      return try SoundFileReader.sampleRate(ofFileAt: path)
    }
    return nil
  }

  private static func open(
    _ port: Port, job: OfflineJob, rate: Double
  ) throws(RackError) -> SoundFileReader? {
    guard let path = job.inputs[port.name] else { return nil }
    let file = try SoundFileReader(path: path, sampleRate: rate)
    guard file.channels.count == 1 || file.channels.count == port.channelCount else {
      throw RackError(
        "\(path) has \(file.channels.count) channels, but input \(port.name) has"
          + " \(port.channelCount); give it a file of as many, or of one")
    }
    return file
  }
}
