import AudioUnits
import RackModel

/// The state of a rack at a moment.
public struct EngineSnapshot: Sendable, Codable {
  /// The level of one channel of an input or output.
  public struct Meter: Sendable, Codable {
    /// The JACK port's name, `main_1`.
    public var name: String
    /// The largest magnitude in the interval that `Engine.status` was asked for.
    public var peak: Float = 0
    /// The root mean square since the last measurement.
    public var rms: Float = 0

    package init(name: String, peak: Float = 0, rms: Float = 0) {
      (self.name, self.peak, self.rms) = (name, peak, rms)
    }
  }

  /// A unit's render time, and its output level.
  public struct UnitTime: Sendable, Codable {
    public var name: String
    public var isBypassed: Bool
    /// The least render time of a cycle, nanoseconds; like all times, since the last measurement.
    public var minimum: Float = 0
    public var mean: Float = 0
    /// The median render time of a cycle, nanoseconds.
    public var p50: Float = 0
    /// The 99th percentile of the render times, nanoseconds.
    public var p99: Float = 0
    public var maximum: Float = 0
    /// The mean render time as a share of the time between two cycles; 0...1 and above.
    public var share: Double = 0
    /// The largest magnitude of the first output bus in the interval that `Engine.status` was asked for.
    public var peak: Float = 0
    /// The root mean square of the first output bus's loudest channel.
    public var rms: Float = 0
    /// The number of times that the unit started to produce NaN or infinity, plus the seconds for which it closed
    /// an output by its level.
    public var muted = 0
    /// The state of the unit's process; nil for a unit in the host's process.
    public var process: UnitProcess?
  }

  /// The state of a unit's process, with counts since the unit was created.
  public struct UnitProcess: Sendable, Codable {
    public enum State: String, Sendable, Codable {
      case running
      /// The unit is bypassed until another process renders it.
      case restarting
      /// The unit stays bypassed: its process has ended too often.
      case givenUp = "given up"
    }

    public var state = State.running
    /// Cycles in which the process did not answer in time.
    public var late = 0
    /// Cycles without a process, or with a process that was busy with an earlier cycle.
    public var absent = 0
    public var restarts = 0
    /// The reason why the process last ended or could not be restarted, or the last system call that was refused.
    public var trouble: String?
  }

  /// The messages of a MIDI input.
  public struct MIDIInput: Sendable, Codable {
    public var name: String
    /// The number of messages since the engine started to play an input of this name.
    public var count = 0
    /// The last message, as `cc 1 channel 3: 64`; nil before the first message.
    public var last: String?
  }

  /// The render times of the whole graph since the last measurement.
  public struct CycleTime: Sendable, Codable {
    /// The mean and the longest time of a cycle, nanoseconds.
    public var mean: Float = 0
    public var maximum: Float = 0
    /// The number of threads that rendered the last cycle.
    public var threads = 1
  }

  /// The waiting messages in the rings between the engine and the kernel.
  public struct Rings: Sendable, Codable {
    /// The number of waiting commands, of 4096.
    public var commands = 0
    /// The number of waiting reports, of 4096.
    public var reports = 0
  }

  /// JACK's transport.
  public struct Transport: Sendable, Codable, Equatable {
    public var isRolling = false
    public var seconds: Double = 0
  }

  /// A recording under way.
  public struct Recording: Sendable, Codable {
    /// The path of the file.
    public var file: String
    public var channels: Int
    /// The length of the recording, seconds.
    public var length: Double
    /// The number of times that frames were replaced by silence because the disk did not keep up.
    public var dropOuts: Int
    /// The length of that silence, seconds.
    public var lost: Double

    init(_ recording: RackEngine.Recording) {
      file = recording.request.path
      channels = recording.channels.count
      length = recording.length
      dropOuts = recording.dropOuts
      lost = Double(recording.lostFrames) / recording.sampleRate
    }
  }

  /// A recording that has ended.
  public struct EndedRecording: Sendable, Codable, Equatable {
    /// The path of the file.
    public var file: String
    /// The length of the recording, seconds.
    public var length: Double
    public var dropOuts: Int
    /// The reason why the recording ended by itself; nil if it was stopped.
    public var reason: String?
  }

  /// Events that were not played as they should have been.
  public struct EventTotals: Sendable, Codable {
    /// Events that had no room, or that their units do not support.
    public var lost = 0
    /// Events that were played late.
    public var late = 0
    /// Invalid MIDI messages.
    public var malformed = 0
  }

  public var rack: String
  /// The client's name in JACK; the last name while the server is away.
  public var clientName: String
  /// Whether the server has ended: nothing plays until there is a server of its name.
  public var serverIsAway = false
  /// The sample rate, Hz.
  public var sampleRate: Double
  /// JACK's buffer size, frames per cycle.
  public var bufferSize: Int
  public var inputs: [Meter] = []
  public var outputs: [Meter] = []
  public var midiInputs: [MIDIInput] = []
  public var units: [UnitTime] = []
  /// Former units whose tails are heard.
  public var spilling: [String] = []
  public var missing: [MissingUnit] = []
  /// The server's DSP load, percent; 0 while the server is away.
  public var load: Double = 0
  public var xruns = 0
  /// The worst of the xruns that were reported last.
  public var lastXrun: LateCycle?
  /// The latency of each output, MIDI outputs last.
  public var latencies: [PathLatency] = []
  public var events = EventTotals()
  public var cycle = CycleTime()
  public var rings = Rings()
  /// Beats per minute; 0 before the first cycle.
  public var tempo: Double = 0
  public var transport = Transport()
  /// The song of the set list that plays; nil without a set list.
  public var song: String?
  /// The recording under way; nil if there is none.
  public var recording: Recording?
  /// The last recording that has ended.
  public var lastRecording: EndedRecording?
  /// The number of frames rendered.
  public var sampleTime: Int64 = 0

  /// The number of meters of the inputs, the outputs and the units.
  var meterCount: Int { inputs.count + outputs.count + units.count }

  /// Sets the peaks, in the order of the inputs, the outputs and the units.
  mutating func show(_ peaks: [Float]) {
    guard peaks.count == meterCount else { return }
    for index in inputs.indices { inputs[index].peak = peaks[index] }
    for index in outputs.indices { outputs[index].peak = peaks[inputs.count + index] }
    let first = inputs.count + outputs.count
    for index in units.indices { units[index].peak = peaks[first + index] }
  }

  /// Resets the meters, as nothing plays.
  mutating func silence() {
    inputs = inputs.map { Meter(name: $0.name) }
    outputs = outputs.map { Meter(name: $0.name) }
    for index in units.indices {
      (units[index].peak, units[index].rms, units[index].share) = (0, 0, 0)
    }
    load = 0
  }

  /// Replaces the meters and the unit times by those of a plan, in its order; entries of the same name keep
  /// their values.
  mutating func show(_ plan: Plan) {
    func meters(_ ports: [Port], _ present: [Meter]) -> [Meter] {
      ports.flatMap(\.channelNames).map { name in
        present.first { $0.name == name } ?? Meter(name: name)
      }
    }
    if let last = lastXrun {
      let blamed = last.units.map(\.name) + last.late
      if !blamed.allSatisfy({ name in plan.units.contains { $0.name == name } }) { lastXrun = nil }
    }
    rack = plan.name
    missing = plan.missing
    inputs = meters(plan.inputs, inputs)
    outputs = meters(plan.outputs, outputs)
    midiInputs = plan.midiInputs.map { port in
      midiInputs.first { $0.name == port.name } ?? MIDIInput(name: port.name)
    }
    units = plan.units.map { unit in
      var time =
        units.first { $0.name == unit.name } ?? UnitTime(name: unit.name, isBypassed: false)
      time.isBypassed = unit.isBypassed
      return time
    }
  }
}

extension EngineSnapshot.EndedRecording: CustomStringConvertible {
  /// `recorded 61.5 s into gig.wav`, or `gig.wav ended at 1.2 s: No space left on device`
  public var description: String {
    let tenths = (length * 10).rounded() / 10
    let losses = dropOuts > 0 ? ", drop-outs \(dropOuts)" : ""
    return reason.map { "\(file) ended at \(tenths) s\(losses): \($0)" }
      ?? "recorded \(tenths) s into \(file)\(losses)"
  }
}

extension EngineSnapshot.UnitTime {
  /// "bypassed", "restarting" or "given up"; nil if the unit plays.
  public var condition: String? {
    if let process, process.state != .running { return process.state.rawValue }
    return isBypassed ? "bypassed" : nil
  }

  /// Updates the state of the unit's process.
  mutating func apply(_ event: ProcessEvent) {
    var process = self.process ?? EngineSnapshot.UnitProcess()
    switch event {
    case .restarted:
      process.restarts += 1
      process.state = .running
    case .ended(let reason, _):
      process.trouble = reason
      process.state = .restarting
    case .givenUp:
      process.trouble = "\(event)"
      process.state = .givenUp
    case .failed, .refused: process.trouble = "\(event)"
    }
    self.process = process
  }

  mutating func apply(_ statistics: ProcessStatistics) {
    var process = self.process ?? EngineSnapshot.UnitProcess()
    (process.late, process.absent) = (statistics.late, statistics.absent)
    self.process = process
  }
}
