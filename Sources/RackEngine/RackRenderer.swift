import AudioUnits
import CIO
import CKernel
import RackLowering
import RackModel

/// Plays a rack through memory, a block at a call: for embedding and tests, and for rendering into files.
///
/// Call it on one thread at a time. The transport rolls from the first block on, in the rack's tempo.
public final class RackRenderer {
  /// A MIDI message at an input or an output of the rack.
  public struct Message: Sendable, Equatable {
    /// The index of the MIDI input or output in the plan.
    public var port: Int
    /// The frame within the block, from 0.
    public var frame: Int
    public var bytes: [UInt8]

    public init(port: Int = 0, frame: Int = 0, bytes: [UInt8]) {
      (self.port, self.frame, self.bytes) = (port, frame, bytes)
    }
  }

  public let plan: Plan
  public let format: RenderFormat
  /// The number of frames rendered so far.
  public private(set) var position = 0
  /// The messages that the rack's MIDI outputs sent in the last block.
  public private(set) var sentMessages: [Message] = []
  /// Units that produced NaN or infinity, or did not render, and were muted.
  public private(set) var faultyUnits: [String] = []
  /// Outputs that were above their ceilings, once for each unit that made them loud.
  public private(set) var loudOutputs: [LoudOutput] = []
  /// Units in other processes that missed cycles, in which their input was passed through.
  public private(set) var absentUnits: [String] = []
  /// Sentences about the parts of files that units have left out.
  public var fileWarnings: [String] { units.flatMap(\.fileWarnings) }
  /// The number of events that had no room, or that their units do not support.
  public private(set) var lostEvents = 0

  /// The transport's tempo and metre: the rack's tempo, in 4/4, unless set.
  lazy var tempoMap = TempoMap(tempo: plan.tempo)
  let units: [RackUnit]
  /// Buffers of `capacity` frames for each channel of each input or output port, in order.
  private(set) var inputs: [UnsafeMutablePointer<Float>] = []
  private(set) var outputs: [UnsafeMutablePointer<Float>] = []
  private let kernel: KernelControl
  private let rack: LiveRack
  private let waitingUnits: [RackUnit]
  private let helperThreads: OpaquePointer?
  /// The time limit of a block for a unit in a process of its own, seconds.
  private let timeLimit: Double
  private var capacity = 0

  /// The interval between two checks of the units' latencies, frames. The checks lie on a grid of their own, so
  /// that the result does not depend on the blocks.
  static let latencyInterval = 1024

  /// Makes the rack's units.
  ///
  /// - Parameters:
  ///   - timeLimit: the time limit of a block for a unit in a process of its own, 1 ms to 1e6 s; at least 60 s
  ///     for its first block.
  ///   - sampleRate: 1000 Hz to 768 kHz.
  ///   - blockFrames: the usual block length, by which pipelined units are late; at least 1 frame.
  /// - Throws: `RackError` if a number is out of range, or that names a unit that cannot be created.
  public init(
    _ plan: Plan, catalogue: ComponentCatalogue = .shared, sampleRate: Double = 48_000,
    blockFrames: Int = 512, timeLimit: Double = 5
  ) throws(RackError) {
    guard blockFrames > 0 else { throw RackError("a block has at least 1 frame") }
    guard (1000...768_000).contains(sampleRate) else {
      throw RackError("a sample rate of \(sampleRate) Hz is out of reach (1000 Hz to 768 kHz)")
    }
    guard (0.001...1e6).contains(timeLimit) else {
      throw RackError("a time limit of \(timeLimit) s is out of reach (1 ms to 1e6 s)")
    }
    (self.plan, self.timeLimit) = (plan, timeLimit)
    format = RenderFormat(
      sampleRate: sampleRate, maximumFrames: plan.dependsOnCycle ? blockFrames : 1024)
    kernel = try KernelControl(sampleRate: sampleRate, driver: .caller)
    var (units, refusals): ([RackUnit], [PropertyFinding]) = ([], [])
    for (index, planned) in plan.units.enumerated() {
      let unit = try RackUnit(
        planned, identifier: UInt32(index), catalogue: catalogue, format: format, gate: kernel.gate)
      refusals += unit.findings.refusals
      units.append(unit)
    }
    for unit in units { unit.audioUnit.setOfflineTimeout(seconds: timeLimit) }
    self.units = units
    waitingUnits = units.filter(\.audioUnit.mayHaveToWait)
    for unit in units { unit.audioUnit.waitForThreads() }
    RackProcesses(plan, units: units).connect(period: Double(blockFrames) / sampleRate)
    guard refusals.isEmpty else { throw RackError(refusals) }
    rack = LiveRack(plan: plan, units: units, format: format)
    let helpers = units.count > 1 ? kernel.helperCount(for: plan) : 0
    helperThreads =
      helpers > 0 ? bl_helper_threads_start(kernel.pointer, UInt32(helpers), nil, nil) : nil
    try kernel.play(rack, rack.wiring())
  }

  deinit {
    bl_helper_threads_stop(helperThreads)
    for pointer in inputs + outputs { pointer.deallocate() }
  }

  /// Returns the unit of this name; nil if the rack has none.
  public func audioUnit(named name: String) -> AudioUnit? {
    units.first { $0.planned.name == name }?.audioUnit
  }

  /// The system calls that units' processes were refused, with the names of the units.
  var refusals: [(unit: String, call: String)] {
    units.flatMap { unit in
      unit.audioUnit.processRefusals.map { (unit.planned.name, $0) }
    }
  }

  /// The latency of each output, MIDI outputs last.
  public var latencies: [PathLatency] {
    plan.latencies(ofUnits: units.map { Int(bl_node_latency($0.node)) })
  }

  /// Renders the next block.
  ///
  /// - Parameters:
  ///   - frames: 1 to 2^20.
  ///   - inputs: channels × frames of all audio inputs, in order; missing channels and frames are silent.
  ///   - messages: messages for the rack's MIDI inputs, in order of time.
  /// - Returns: Channels × frames of all audio outputs, in order.
  /// - Throws: `RackError` if a number is out of range or a unit's process fails.
  public func render(
    frames: Int, inputs: [[Float]] = [], messages: [Message] = []
  ) throws(RackError) -> [[Float]] {
    guard (1...Self.maximumFrames).contains(frames) else {
      throw RackError("a block has 1 to \(Self.maximumFrames) frames, not \(frames)")
    }
    let isInBlock = messages.allSatisfy {
      (0..<frames).contains($0.frame) && plan.midiInputs.indices.contains($0.port)
    }
    guard isInBlock else { throw RackError("a MIDI message lies outside the block or its ports") }
    reserve(frames)
    for (index, pointer) in self.inputs.enumerated() {
      let samples = inputs.indices.contains(index) ? inputs[index].prefix(frames) : []
      _ = UnsafeMutableBufferPointer(start: pointer, count: samples.count).update(from: samples)
      (pointer + samples.count).update(repeating: 0, count: frames - samples.count)
    }
    try play(frames, messages)
    return outputs.map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
  }

  private static let maximumFrames = 1 << 20

  /// The present latency from the rack's inputs to each output, frames.
  var graphLatencies: (outputs: [Int], midiOutputs: [Int]) { kernel.latencies }

  /// Allocates `inputs` and `outputs` for a block of this length, if they are shorter.
  func reserve(_ frames: Int) {
    guard frames > capacity else { return }
    for pointer in inputs + outputs { pointer.deallocate() }
    inputs = plan.inputs.flatMap(\.channelNames).map { _ in .allocate(capacity: frames) }
    outputs = plan.outputs.flatMap(\.channelNames).map { _ in .allocate(capacity: frames) }
    capacity = frames
  }

  /// Renders a block from `inputs` into `outputs`.
  func play(_ frames: Int, _ messages: [Message]) throws(RackError) {
    for unit in waitingUnits { unit.audioUnit.waitUntilReady(frames: frames) }
    sentMessages = []
    let arrays = CArrays()
    var cycle = cycle(frames, messages, arrays)
    withExtendedLifetime(arrays) {
      _ = bl_kernel_begin_cycle(kernel.pointer)
      bl_kernel_render(kernel.pointer, &cycle)
    }
    kernel.receiveReports(receive)
    for unit in units { try unit.checkProcess(timeLimit) }
    let interval = Self.latencyInterval
    let isCheckDue = (position + frames) / interval > position / interval
    position += frames
    if isCheckDue, kernel.isOutdated { try kernel.play(rack, rack.wiring()) }
  }

  private func cycle(_ frames: Int, _ messages: [Message], _ arrays: CArrays) -> bl_cycle {
    let (context, transport) = music
    let midi = messages.map { message in
      bl_midi_message(
        port: UInt32(message.port), frame: UInt32(message.frame),
        length: UInt32(message.bytes.count), data: arrays.copy(message.bytes))
    }
    return bl_cycle(
      flags: UInt32(BL_RENDER_OFFLINE), frames: UInt32(frames),
      inputs: arrays.copy(inputs.map { UnsafePointer<Float>?($0) }),
      outputs: arrays.copy(outputs.map(Optional.init)),
      midi_count: UInt32(midi.count), midi: arrays.copy(midi), events: nil,
      send_midi: { context, message in
        guard let context, let message = message?.pointee else { return false }
        Unmanaged<RackRenderer>.fromOpaque(context).takeUnretainedValue().receive(message)
        return true
      }, midi_context: Unmanaged.passUnretained(self).toOpaque(),
      musical_context: arrays.copy([context]), transport_state: arrays.copy([transport]))
  }

  /// The transport at the first frame of the block.
  private var music: (bl_musical_context, bl_transport_state) {
    let musical = tempoMap.position(atFrame: position, sampleRate: format.sampleRate)
    var context = bl_musical_context()
    context.tempo = musical.tempo
    context.time_signature_numerator = Double(musical.metre.beatsPerBar)
    context.time_signature_denominator = Int32(musical.metre.beatUnit)
    context.beat_position = musical.beat
    context.downbeat_position = musical.downbeat
    var transport = bl_transport_state()
    transport.flags =
      UInt32(BL_TRANSPORT_MOVING) | (position == 0 ? UInt32(BL_TRANSPORT_CHANGED) : 0)
    transport.sample_position = Int64(position)
    return (context, transport)
  }

  private func receive(_ message: bl_midi_message) {
    let bytes = Array(UnsafeBufferPointer(start: message.data, count: Int(message.length)))
    sentMessages.append(
      Message(port: Int(message.port), frame: Int(message.frame), bytes: bytes))
  }

  private func receive(_ report: bl_loud_report) {
    let loud = LoudOutput(report, outputs: plan.outputs) { units[Int($0)].planned.name }
    if !loudOutputs.contains(where: { ($0.output, $0.unit) == (loud.output, loud.unit) }) {
      loudOutputs.append(loud)
    }
  }

  private func receive(_ report: bl_report) {
    func add(to names: inout [String]) {
      let name = units[Int(report.fault.node)].planned.name
      if !names.contains(name) { names.append(name) }
    }
    switch report.type {
    case BL_REPORT_UNAVAILABLE: add(to: &absentUnits)
    case BL_REPORT_NON_FINITE, BL_REPORT_RENDER_FAILED: add(to: &faultyUnits)
    case BL_REPORT_TOO_LOUD: receive(report.loud)
    case BL_REPORT_EVENTS_LOST: lostEvents += Int(report.events)
    default: break
    }
  }
}

extension RackUnit {
  /// Throws if the unit's process missed cycles, since the rendering is then useless.
  fileprivate func checkProcess(_ timeLimit: Double) throws(RackError) {
    guard let statistics = audioUnit.processStatistics, statistics.late + statistics.absent > 0
    else { return }
    let reason = audioUnit.processTrouble ?? "its process did not answer for \(timeLimit) s"
    throw RackError("unit \(planned.name): \(reason)")
  }
}
