import AudioUnits
import RackModel

/// The state of a rack, as of a moment ago.
public struct EngineSnapshot: Sendable, Codable {
  /// The audio of one channel since the snapshot before.
  public struct Meter: Sendable, Codable {
    /// The JACK port's name, `main_1`.
    public var name: String
    /// Largest magnitude.
    public var peak: Float = 0
    /// Root of the mean square.
    public var rms: Float = 0

    package init(name: String, peak: Float = 0, rms: Float = 0) {
      (self.name, self.peak, self.rms) = (name, peak, rms)
    }
  }

  /// A unit's time in the cycle, and how loud it is.
  public struct UnitTime: Sendable, Codable {
    public var name: String
    public var isBypassed: Bool
    /// Nanoseconds a cycle.
    public var minimum: Float = 0
    public var mean: Float = 0
    /// What half of the cycles take at most.
    public var p50: Float = 0
    /// What 99 of 100 cycles take at most.
    public var p99: Float = 0
    public var maximum: Float = 0
    /// Of the time between two cycles, 0...1.
    public var share: Double = 0
    /// Largest magnitude of its first output bus since the snapshot before, of all channels.
    public var peak: Float = 0
    /// Root of the mean square of the bus's loudest channel.
    public var rms: Float = 0
    /// How often it started to produce NaN or infinity.
    public var muted = 0
    /// Nil for a unit in the host's process.
    public var process: UnitProcess?
  }

  /// A unit in another process, since it was made.
  public struct UnitProcess: Sendable, Codable {
    public enum State: String, Sendable, Codable {
      case running
      /// The unit is bypassed until another process renders it.
      case restarting
      /// The unit stays bypassed: its process has ended too often.
      case givenUp = "given up"
    }

    public var state = State.running
    /// Cycles in which its answer did not come in time.
    public var late = 0
    /// Cycles without a process, or with one that was busy with an earlier cycle.
    public var absent = 0
    public var restarts = 0
    /// Why the process last ended or could not be restarted, or the last system call that was refused.
    public var trouble: String?
  }

  /// The messages of a MIDI input.
  public struct MIDIInput: Sendable, Codable {
    public var name: String
    /// Since the rack started to play.
    public var count = 0
    /// `cc 1 channel 3: 64`; nil before the first.
    public var last: String?
  }

  /// Of the whole graph.
  public struct CycleTime: Sendable, Codable {
    /// Nanoseconds.
    public var mean: Float = 0
    public var maximum: Float = 0
    /// That render it.
    public var threads = 1
  }

  /// What waits in the rings between the kernel and the engine.
  public struct Rings: Sendable, Codable {
    /// Of 4096.
    public var commands = 0
    /// Of 4096.
    public var reports = 0
  }

  /// JACK's transport.
  public struct Transport: Sendable, Codable, Equatable {
    public var isRolling = false
    public var seconds: Double = 0
  }

  /// A recording under way.
  public struct Recording: Sendable, Codable {
    /// Its path.
    public var file: String
    public var channels: Int
    /// Seconds.
    public var length: Double
    /// How often frames were replaced by silence because the disk did not keep up.
    public var dropOuts: Int
    /// Seconds of silence in their place.
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
    /// Its path.
    public var file: String
    /// Seconds.
    public var length: Double
    public var dropOuts: Int
    /// Why it ended by itself; nil if it was stopped.
    public var reason: String?
  }

  /// Events that were not played as they should have been.
  public struct EventTotals: Sendable, Codable {
    /// The kernel had no room for them.
    public var lost = 0
    /// Played, but late.
    public var late = 0
    /// Invalid MIDI messages.
    public var malformed = 0
  }

  public var rack: String
  /// As JACK has it, or had it.
  public var clientName: String
  /// Whether the server has ended: nothing plays until there is one of its name.
  public var serverIsAway = false
  /// Hz.
  public var sampleRate: Double
  /// Frames a cycle.
  public var bufferSize: Int
  public var inputs: [Meter] = []
  public var outputs: [Meter] = []
  public var midiInputs: [MIDIInput] = []
  public var units: [UnitTime] = []
  /// Former units whose tails are heard.
  public var spilling: [String] = []
  public var missing: [MissingUnit] = []
  /// Percent, as the server has it.
  public var load: Double = 0
  public var xruns = 0
  /// The worst of the xruns that were reported last.
  public var lastXrun: LateCycle?
  /// Of each output, MIDI outputs last.
  public var latencies: [PathLatency] = []
  public var events = EventTotals()
  public var cycle = CycleTime()
  public var rings = Rings()
  /// Beats per minute; 0 before the first cycle.
  public var tempo: Double = 0
  public var transport = Transport()
  /// The song of the set list that plays; nil without a set list.
  public var song: String?
  /// Nil while nothing is recorded.
  public var recording: Recording?
  /// The one before.
  public var lastRecording: EndedRecording?
  /// Frames rendered.
  public var sampleTime: Int64 = 0

  /// Of the inputs, the outputs and the units.
  var meterCount: Int { inputs.count + outputs.count + units.count }

  /// Sets the peaks, in the order of the inputs, the outputs and the units.
  mutating func show(_ peaks: [Float]) {
    guard peaks.count == meterCount else { return }
    for place in inputs.indices { inputs[place].peak = peaks[place] }
    for place in outputs.indices { outputs[place].peak = peaks[inputs.count + place] }
    let first = inputs.count + outputs.count
    for place in units.indices { units[place].peak = peaks[first + place] }
  }

  /// Resets the meters, as nothing plays.
  mutating func silence() {
    inputs = inputs.map { Meter(name: $0.name) }
    outputs = outputs.map { Meter(name: $0.name) }
    for place in units.indices {
      (units[place].peak, units[place].rms, units[place].share) = (0, 0, 0)
    }
    load = 0
  }

  /// Has a meter for each channel and a time for each unit of a plan, in its order; former ones keep their
  /// values.
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
  mutating func note(_ event: ProcessEvent) {
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

  mutating func note(_ statistics: ProcessStatistics) {
    var process = self.process ?? EngineSnapshot.UnitProcess()
    (process.late, process.absent) = (statistics.late, statistics.absent)
    self.process = process
  }
}
