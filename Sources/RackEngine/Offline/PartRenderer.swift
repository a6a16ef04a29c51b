import AudioUnits
import RackModel

/// Renders a part of a rack, from its beginning to its end.
final class PartRenderer {
  private let job: OfflineJob
  private let renderer: RackRenderer
  /// The source of each audio input, set before the rendering if it does not exist at first; nil for silence.
  var sources: [(any OfflineSource)?]
  private var messages: ArraySlice<OfflineJob.Message>

  private var plan: Plan { renderer.plan }
  /// The system calls that units' processes were refused, with the names of the units.
  var refusals: [(unit: String, call: String)] { renderer.refusals }
  /// The sample rate, Hz.
  private var sampleRate: Double { renderer.format.sampleRate }

  /// The longest tail that is rendered, seconds.
  static let longestTail = 30.0
  /// The longest rendering of files and lanes without a given length, seconds.
  static let longestMaterial = 24.0 * 3600
  /// The length of a rendering without inputs or a given length, seconds.
  static let defaultLength = 10.0
  /// The magnitude below which a block is silent, -100 dB.
  private static let silence: Float = 1e-5
  /// The length of silence after which a rendering with an endless tail ends, seconds: no echo is longer.
  private static let longestPause = 5.0

  /// Creates the units.
  ///
  /// - Throws: `RackError` that names the unit.
  init(
    _ plan: Plan, catalogue: ComponentCatalogue, job: OfflineJob, sampleRate: Double,
    sources: [(any OfflineSource)?]
  ) throws(RackError) {
    (self.job, self.sources) = (job, sources)
    messages = job.messages.sorted { $0.time < $1.time }[...]
    renderer = try RackRenderer(
      plan, catalogue: catalogue, sampleRate: sampleRate, blockFrames: job.blockFrames,
      timeLimit: job.timeLimit)
  }

  /// Renders everything; `progress` receives the share done, 0...1, and ends the rendering by
  /// throwing.
  ///
  /// - Parameters:
  ///   - destinations: the destination of each audio output; nil for none.
  ///   - midiFiles: the path of each MIDI output's file; nil for none.
  ///   - removesLatency: whether the first frames, by which the rack's latency delays an output, are left out.
  func render(
    into destinations: [(any OfflineDestination)?], midiFiles: [String?], removesLatency: Bool,
    progress: (Double) throws -> Void
  ) throws -> (result: OfflineResult, midi: MIDISink) {
    let latencies = renderer.graphLatencies
    let sink = OutputSink(
      plan: plan, destinations: destinations,
      skip: latencies.outputs.map { removesLatency ? $0 : 0 })
    let midiSink = MIDISink(
      paths: midiFiles, skip: latencies.midiOutputs.map { removesLatency ? $0 : 0 },
      sampleRate: sampleRate)
    if let map = job.tempoMap { renderer.tempoMap = map }
    return (try renderAll(into: sink, midiSink, progress), midiSink)
  }

  private func renderAll(
    into sink: OutputSink, _ midiSink: MIDISink, _ progress: (Double) throws -> Void
  ) throws -> OfflineResult {
    let latency = sink.skip.max() ?? 0
    let firstLatency = renderer.graphLatencies.outputs.max() ?? 0
    var body = bodyFrames
    guard job.length != nil || Double(body) <= Self.longestMaterial * sampleRate else {
      throw RackError(
        "the files and lanes last \(body / Int(sampleRate) / 3600) hours, more than 24; "
          + "give --length to render more")
    }
    var end = body + (job.length == nil ? tailFrames : 0)
    var largest: Float = 0
    var quietFrames = 0
    var isInTail = job.length != nil
    var isEndless = false
    while renderer.position < end + latency {
      let start = renderer.position
      let stop = start < body ? body : end + latency
      let interval = RackRenderer.latencyInterval
      let change = renderer.tempoMap.change(afterFrame: start, sampleRate: sampleRate) ?? stop
      let frames = min(
        job.blockFrames, stop - start, interval - start % interval, change - start)
      try readInputs(frames, upTo: body)
      try renderer.play(frames, popMessages(before: start + frames))
      midiSink.add(renderer.sentMessages, at: start)
      let isTail = start >= body + latency
      let peak = try sink.write(
        renderer.outputs, frames: frames, upTo: end,
        waitingBelow: isEndless && isTail ? Self.silence : 0)
      largest = max(largest, peak)
      let done = start + frames
      if done < body && sources.contains(where: { $0?.isCutShort == true }) {
        // The header of a file that breaks off promised a greater length.
        body = max(done, bodyFrames)
      }
      if done >= body && !isInTail {
        // Automation may have changed the tails.
        for unit in renderer.units { unit.audioUnit.applyRenderChanges() }
        // The end is later by as much as latencies have grown.
        let growth = (renderer.graphLatencies.outputs.max() ?? 0) - firstLatency
        end = body + tailFrames + max(0, growth)
        isEndless = tailTime > Self.longestTail
        isInTail = true
      }
      try progress(Double(done) / Double(end + latency))
      quietFrames = isTail && peak < Self.silence ? quietFrames + frames : 0
      // A tail that has no end may have died away all the same.
      if isEndless && Double(quietFrames) > Self.longestPause * sampleRate { break }
    }
    if isEndless { end = min(end, renderer.position - quietFrames - latency) }
    try progress(1)
    var result = OfflineResult(sampleRate: sampleRate)
    result.loudOutputs = renderer.loudOutputs
    (result.frames, result.peak) = (end, largest)
    (result.faultyUnits, result.absentUnits) = (renderer.faultyUnits, renderer.absentUnits)
    result.fileWarnings = renderer.fileWarnings
    result.lostEvents = renderer.lostEvents
    return result
  }

  /// Reads the inputs' next block; past `end` they are silent.
  private func readInputs(_ frames: Int, upTo end: Int) throws {
    renderer.reserve(frames)
    let available = max(0, min(frames, end - renderer.position))
    var channels = renderer.inputs[...]
    for (port, source) in zip(plan.inputs, sources) {
      let own = channels.prefix(port.channelCount)
      channels = channels.dropFirst(port.channelCount)
      try source?.read(into: own, frames: available)
      let read = source == nil ? 0 : available
      for channel in own { (channel + read).update(repeating: 0, count: frames - read) }
    }
  }

  private func popMessages(before end: Int) -> [RackRenderer.Message] {
    let due = messages.prefix { Int(clamping: $0.time * sampleRate) < end }
    messages = messages.dropFirst(due.count)
    return due.filter { !$0.bytes.isEmpty }.map {
      let frame = Int(clamping: $0.time * sampleRate) - renderer.position
      return RackRenderer.Message(port: $0.port, frame: max(frame, 0), bytes: $0.bytes)
    }
  }

  /// The length of the files, messages and lanes, frames.
  private var bodyFrames: Int {
    if let length = job.length { return Int(clamping: length * sampleRate) }
    let files = sources.map { $0?.frameCount ?? 0 }.max() ?? 0
    let events = job.messages.map(\.time) + job.automation.map { $0.end(tempo: plan.tempo) }
    // The length includes the frame of the last message.
    let sent = job.messages.filter { !$0.bytes.isEmpty }.map {
      Int(clamping: $0.time * sampleRate) + 1
    }
    let last = max(Int(clamping: max(0, events.max() ?? 0) * sampleRate), sent.max() ?? 0)
    if files == 0 && job.messages.isEmpty {
      // The rack's own lanes may last a whole evening: they count only if there are no inputs.
      let lanes = plan.automation.map { $0.end(tempo: plan.tempo) }.max() ?? 0
      return max(Int(clamping: max(Self.defaultLength, lanes) * sampleRate), last)
    }
    return max(files, last)
  }

  private var tailTime: Double {
    plan.tailTime(unitTails: renderer.units.map(\.audioUnit.tailTime))
  }

  private var tailFrames: Int {
    Int(clamping: (min(tailTime, Self.longestTail) * sampleRate).rounded(.up))
  }
}
