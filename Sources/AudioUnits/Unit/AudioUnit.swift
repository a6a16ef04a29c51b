import AsyncSupport
import CKernel
import Dispatch
import Observation
import UnitModel

/// One instance of a unit.
///
/// Any thread may call it: calls that change it wait for one another, and scheduling events never
/// waits. Its properties are observable (`withObservationTracking`, `Observations`).
///
/// A standalone unit renders through `render` or `renderBlock`, with a kernel of its own. A unit of
/// a rack is rendered by the rack's kernel, and has neither.
public final class AudioUnit: Sendable, Observable {
  public let component: Component
  public var facts: UnitFacts { component.facts }

  /// The process that the unit runs in.
  public let process: ProcessChoice

  /// The addresses of the parameters that only the unit sets.
  let meters: [UInt64]
  /// The unit's service in another process; nil if the unit runs in this one.
  let service: UnitService?
  let unitDescriptor: UnitDescriptor
  let unit: Handle
  let observers: Handle
  /// The link to the rack's kernel, or to the unit's own.
  let link: CommandLink
  let isInRack: Bool
  let registrar = ObservationRegistrar()
  /// Serialises calls of the instance's control functions; locked before `state`.
  let controlLock = Guarded(())
  let state: Guarded<State>
  let schedulerHandle: Handle
  /// Runs calls that block.
  private let queue = DispatchQueue(label: "backline.audio-unit", qos: .userInitiated)

  /// Unchecked because a pointer is not known to be Sendable: its target is guarded by `controlLock`, or made
  /// for every thread (render_observer.h, command_gate.h).
  struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  struct State: Sendable {
    var tree: ParameterTree
    var inputs: [BusSettings]
    var outputs: [BusSettings]
    /// The sample rate, Hz; if there are busses, theirs counts.
    var ownSampleRate = AudioFormat.defaultSampleRate
    var sampleRate: Double { (inputs.first ?? outputs.first)?.format.sampleRate ?? ownSampleRate }
    var maximumFrames = 1024
    var isRenderingOffline = false
    var contextName: String?
    var eventCapacity = 8192
    var parameters: KernelValues
    /// Whether the host has set how long a cycle may wait for the unit's process.
    var hasRenderTimeout = false
    /// The property values, by identifier.
    var properties: [String: String] = [:]
    /// Sentences, by property identifier.
    var propertyWarnings: [String: [String]] = [:]
    /// The key names of channel 1, by key.
    var noteNames: [Int: String] = [:]
    var latency = ReportedLatency()
    var tailTime = 0.0
    var lostEventCount = 0
    var preset: Preset?
    /// Parameters, properties and entries of a restored state that the unit does not have.
    var unknown: UnitState?
    var resources: Resources?
    var hostBlocks = HostBlocks()
    var presetLibrary: PresetLibrary?
    /// Notifies observers of presets that other instances and programs save; started once the
    /// presets are read.
    var presetFollower: Task<Void, Never>?
  }

  /// Exists between `allocateRenderResources` and `deallocateRenderResources`.
  struct Resources: Sendable {
    let node: Handle
    /// The unit's own kernel; nil in a rack.
    var kernel: Handle?
    var block: Handle?
    /// The queue of collected MIDI output; nil if MIDI output is not collected.
    var midiQueue: Handle?
    /// Reports changes of the render side to observers.
    var pump: Task<Void, Never>?
  }

  /// Creates an instance with every parameter at its default.
  ///
  /// - Parameter process: the process to run in; nil for the component's `defaultProcess`. Waits until
  ///   another process has loaded the unit.
  public convenience init(
    _ component: Component, process: ProcessChoice? = nil
  ) throws(AudioUnitError) {
    try self.init(component, link: nil, process: process)
  }

  /// Creates an instance that a rack's kernel renders.
  package init(
    _ component: Component, link: CommandLink?, process: ProcessChoice? = nil
  ) throws(AudioUnitError) {
    self.component = component
    let process = process ?? component.defaultProcess
    self.process = process
    do {
      unitDescriptor = try component.descriptor(in: process)
    } catch {
      throw AudioUnitError(unit: component.name, reason: error.description)
    }
    let facts = component.facts
    meters = facts.allParameters().filter { !$0.info.flags.contains(.writable) }.map(\.address)
    let descriptor = unitDescriptor.pointer
    isInRack = link != nil
    self.link = if let link { link } else { CommandLink(gate: try CommandGate(), identifier: 0) }
    let observers = bl_render_observers_create()
    let scheduler = bl_scheduler_create(
      self.link.gate.pointer, self.link.identifier, UInt32(facts.virtualMIDICableCount))
    func free() {
      bl_render_observers_destroy(observers)
      bl_scheduler_destroy(scheduler)
    }
    guard let observers, let scheduler, let instance = descriptor.pointee.create(descriptor) else {
      free()
      throw AudioUnitError(unit: facts.name, reason: "out of memory")
    }
    do {
      service =
        process == .host ? nil : try UnitService(component, in: process, link: instance)
    } catch {
      descriptor.pointee.destroy(instance)
      free()
      throw error
    }
    unit = Handle(pointer: instance)
    self.observers = Handle(pointer: observers)
    schedulerHandle = Handle(pointer: scheduler)
    state = Guarded(
      State(
        tree: ParameterTree(facts),
        inputs: facts.inputBusses.map {
          BusSettings($0, sampleRate: AudioFormat.defaultSampleRate)
        },
        outputs: facts.outputBusses.map {
          BusSettings($0, sampleRate: AudioFormat.defaultSampleRate)
        },
        parameters: KernelValues(
          Self.defaultValues(of: facts, inputBusCount: facts.inputBusses.count))))
    attach(state.withLock { $0.tree })
  }

  static func defaultValues(of facts: UnitFacts, inputBusCount: Int) -> [UInt64: Float] {
    let all = facts.allParameters(inputBusCount: inputBusCount)
    return Dictionary(all.map { ($0.address, $0.info.defaultValue) }) { first, _ in first }
  }

  deinit {
    state.withLock { $0.presetFollower }?.cancel()
    freeResources(deallocates: service == nil)
    bl_render_observers_destroy(observers.pointer)
    bl_scheduler_destroy(schedulerHandle.pointer)
    let (descriptor, unit) = (unitDescriptor, unit)
    guard let service else { return descriptor.pointer.pointee.destroy(unit.pointer) }
    // Leaving does not wait for the process to answer.
    service.group.leave(service) { descriptor.pointer.pointee.destroy(unit.pointer) }
  }

  /// Runs calls that block, such as those that wait for a process or a file, on the unit's own
  /// queue.
  ///
  /// ```swift
  /// try await unit.perform { unit throws(AudioUnitError) in try unit.allocateRenderResources() }
  /// ```
  @discardableResult
  public func perform<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (AudioUnit) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await queue.answer { () throws(Failure) in try body(self) }
  }

  /// Whether the instance runs the component's current code.
  package func isInstance(of component: Component) -> Bool {
    (try? component.descriptor(in: process))?.pointer == unitDescriptor.pointer
  }

  package var instance: OpaquePointer { unit.pointer }
  package var descriptor: UnsafePointer<bl_unit_descriptor> { unitDescriptor.pointer }

  func error(_ reason: String) -> AudioUnitError {
    AudioUnitError(unit: facts.name, reason: reason)
  }
}
