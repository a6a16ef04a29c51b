import AudioUnits
import CKernel
import FoundationEssentials
import JackIO
import RackModel
import UnitModel

/// The control side of a kernel: sends graphs and commands, receives reports, and keeps the units, ports and
/// recordings of graphs alive.
///
/// Unchecked Sendable: the engine or the renderer alone calls it; a JACK client retains it until no cycle
/// can run any more.
final class KernelControl: @unchecked Sendable {
  /// The side that runs the kernel's cycles.
  enum Driver {
    /// A JACK client, on its process thread.
    case jack
    /// The owner of this object; `send` executes commands at once.
    case caller
  }

  /// The parts of a graph, kept until the kernel reports the graph retired.
  struct Graph {
    var units: [RackUnit]
    var ports: JackPortSet?
    /// The plan to which the indices of controls and scenes in reports refer.
    var plan: Plan
    var recording: Recording?
    var automation: Automation?
    /// Whether cables fade or delays crossfade.
    var isFading: Bool
  }

  let pointer: OpaquePointer
  /// The gate through which the units send their own commands.
  let gate: CommandGate
  var driver: Driver
  /// The thread choice that overrides the plans' own; nil for the plans' own.
  private let threads: ThreadChoice?
  private(set) var graphs: [OpaquePointer: Graph] = [:]
  /// The last graph sent; nil for silence.
  private(set) var present: OpaquePointer?
  private var automation: Automation?
  /// The last recording, into which the kernel may still write when it plays no graph.
  var lastRecording: Recording?

  init(sampleRate: Double, driver: Driver, threads: ThreadChoice? = nil) throws(RackError) {
    self.threads = threads
    do {
      gate = try CommandGate()
    } catch {
      throw RackError(error.reason)
    }
    var configuration = bl_kernel_configuration()
    configuration.sample_rate = sampleRate
    guard let pointer = bl_kernel_create(&configuration) else { throw RackError("memory is short") }
    (self.pointer, self.driver) = (pointer, driver)
    gate.open(pointer)
  }

  deinit {
    gate.shut()
    bl_kernel_destroy(pointer)
  }

  /// Returns the number of helper threads to start besides the caller's: without `threads`, enough for all
  /// processors, since a later plan may use them.
  func helperCount(for plan: Plan) -> Int {
    let choice = threads ?? plan.threads
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let maximum = max(choice.count(processors: processors), threads == nil ? processors : 1)
    return min(maximum, ThreadChoice.numbers.upperBound) - 1
  }

  /// Sends a command; returns false if the kernel's ring is full.
  func send(_ command: bl_command) -> Bool {
    var command = command
    guard bl_kernel_send(pointer, &command) else { return false }
    if driver == .caller { bl_kernel_begin_cycle_offline(pointer) }
    return true
  }

  /// Lowers a graph, and plays it from the next cycle on.
  ///
  /// - Throws: `RackError` if memory is short, the graph is invalid or the kernel's ring is full.
  func play(
    _ rack: LiveRack, _ wiring: PlanLowering.Wiring, recording: Recording? = nil
  ) throws(RackError) {
    let lanes = try Automation.of(
      rack.plan, sampleRate: rack.format.sampleRate, after: automation)
    let graph = try PlanLowering.lower(
      wiring, ports: rack.plan, format: rack.format, threads: threads ?? rack.plan.threads,
      context: rack.ports?.context,
      previous: present, automation: lanes, recording: recording)
    // Before the graph can be reported retired.
    graphs[graph] = Graph(
      units: wiring.units, ports: rack.ports, plan: rack.plan, recording: recording,
      automation: lanes, isFading: bl_graph_fades(graph))
    guard send(bl_command(BL_COMMAND_SET_GRAPH) { $0.graph = graph }) else {
      graphs[graph] = nil
      bl_graph_destroy(graph)
      throw RackError("rack \(rack.plan.name): the kernel does not keep up")
    }
    (present, automation) = (graph, lanes)
  }

  /// Plays no graph from the next cycle on; returns false if the kernel's ring is full.
  func playSilence() -> Bool {
    guard send(bl_command(BL_COMMAND_SET_GRAPH)) else { return false }
    present = nil
    return true
  }

  /// Whether the present graph fades.
  var isFading: Bool { present.flatMap { graphs[$0]?.isFading } ?? false }

  /// Whether the rack must be lowered again: the present graph's fades are over, or a unit's latency has
  /// changed since it was lowered.
  var isOutdated: Bool {
    guard let present else { return false }
    return bl_graph_fades(present) ? !isFading : bl_graph_latency_changed(present)
  }

  /// The latencies from the rack's inputs to each output of the present graph, frames; empty without a graph.
  var latencies: (outputs: [Int], midiOutputs: [Int]) {
    guard let present, let plan = graphs[present]?.plan else { return ([], []) }
    return (
      plan.outputs.indices.map { Int(bl_graph_latency(present, UInt32($0))) },
      plan.midiOutputs.indices.map { Int(bl_graph_midi_latency(present, UInt32($0))) }
    )
  }

  /// Returns the unit with an identifier in any graph that the kernel may still use; nil if there is none.
  func unit(_ identifier: UInt32) -> RackUnit? {
    for graph in graphs.values {
      if let unit = graph.units.first(where: { $0.identifier == identifier }) { return unit }
    }
    return nil
  }

  /// Passes the present graph's measurements since the last call to `body`, if new ones are published.
  func readTelemetry(_ body: (bl_telemetry) -> Void) {
    guard let present, let telemetry = bl_graph_telemetry(present) else { return }
    body(telemetry.pointee)
    bl_graph_release_telemetry(present)
  }

  /// Frees retired graphs, and passes all other reports to `body`.
  func receiveReports(_ body: (bl_report) -> Void) {
    var report = bl_report()
    while bl_kernel_receive(pointer, &report) {
      switch report.type {
      case BL_REPORT_GRAPH_RETIRED:
        bl_graph_destroy(report.graph)
        graphs[report.graph] = nil
      case BL_REPORT_FADES_FINISHED: graphs[report.graph]?.isFading = false
      default: body(report)
      }
    }
  }
}

extension bl_command {
  init(_ type: bl_command_type, _ fill: (inout bl_command) -> Void = { _ in }) {
    self.init()
    self.type = type
    fill(&self)
  }
}
