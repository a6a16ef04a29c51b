import AsyncSupport
import CKernel
import Observation
import Synchronization
import UnitModel

/// One instance of a unit.
///
/// Any thread may call it: calls that change it wait for one another, and what schedules events
/// never waits. Its properties are observable (`withObservationTracking`, `Observations`).
///
/// A unit made by itself renders through `render` or `renderBlock`, with a kernel of its own; one of
/// a rack is rendered by the rack's, and has neither.
public final class AudioUnit: Sendable, Observable {
  public let component: Component
  public var facts: UnitFacts { component.facts }

  /// In whose process the unit runs.
  public let process: ProcessChoice

  /// Nil in this process.
  let service: UnitService?
  let unitDescriptor: UnitDescriptor
  let unit: Handle
  let observers: Handle
  /// To the rack's kernel, or to the unit's own.
  let link: CommandLink
  let isInRack: Bool
  let registrar = ObservationRegistrar()
  /// Held by whoever calls the instance's control functions; taken before `state`.
  let turn = Guarded(())
  let state: Guarded<State>
  /// Are there values that nothing scheduled may overtake? For those who take no lock.
  let hasWaiting = Atomic(false)

  /// Unchecked because a pointer is not known to be Sendable: what it points to is guarded by `turn`,
  /// or made for every thread (render_observer.h).
  struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  struct State: Sendable {
    var tree: ParameterTree
    var inputs: [BusSettings]
    var outputs: [BusSettings]
    var maximumFrames = 1024
    var shouldBypass = false
    var isRenderingOffline = false
    var contextName: String?
    var eventCapacity = 8192
    /// As last set, or heard from the render side; by address.
    var values: [UInt64: Float]
    /// Of these, what the kernel has had no room for yet.
    var waiting = WaitingValues()
    /// How many commands the kernel had when the last was sent from here; nil where none was.
    var sent: UInt32?
    /// As last heard from the render side.
    var heard: [UInt64: Float] = [:]
    var heardChanges: UInt32 = 0
    /// By identifier.
    var properties: [String: String] = [:]
    var latency = 0
    var tailTime = 0.0
    var lostEventCount = 0
    var preset: Preset?
    /// What a state had that the unit does not know.
    var unknown: UnitState?
    var resources: Resources?
    var music = MusicProviders()
    var midiOutput = MIDIOutput.dropped
  }

  /// What there is between `allocateRenderResources` and `deallocateRenderResources`.
  struct Resources: Sendable {
    let node: Handle
    /// Nil in a rack.
    var kernel: Handle?
    var block: Handle?
    /// Nil where MIDI output is not collected.
    var midiQueue: Handle?
    /// Tells observers what the render side has changed.
    var pump: Task<Void, Never>?
  }

  /// A new instance with every parameter at its default.
  ///
  /// - Parameter process: nil for the one that unit and user have agreed to (`usualProcess`). Where it
  ///   is not this one, waits until the unit is there.
  public convenience init(
    _ component: Component, process: ProcessChoice? = nil
  ) throws(AudioUnitError) {
    try self.init(component, link: nil, process: process)
  }

  /// An instance that a kernel of a rack is to play.
  package init(
    _ component: Component, link: CommandLink?, process: ProcessChoice? = nil
  ) throws(AudioUnitError) {
    self.component = component
    let process = process ?? component.usualProcess
    self.process = process
    do {
      unitDescriptor = try component.descriptor(in: process)
    } catch {
      throw AudioUnitError(unit: component.name, reason: error.description)
    }
    let facts = component.facts
    let descriptor = unitDescriptor.pointer
    isInRack = link != nil
    self.link = if let link { link } else { CommandLink(gate: try CommandGate(), identifier: 0) }
    guard let observers = bl_render_observers_create() else {
      throw AudioUnitError(unit: facts.name, reason: "memory is short")
    }
    guard let instance = descriptor.pointee.create(descriptor) else {
      bl_render_observers_destroy(observers)
      throw AudioUnitError(unit: facts.name, reason: "memory is short")
    }
    do {
      service = try UnitService.join(process, component, instance)
    } catch {
      descriptor.pointee.destroy(instance)
      bl_render_observers_destroy(observers)
      throw error
    }
    unit = Handle(pointer: instance)
    self.observers = Handle(pointer: observers)
    state = Guarded(
      State(
        tree: ParameterTree(facts),
        inputs: facts.inputBusses.map { BusSettings($0, sampleRate: Self.usualSampleRate) },
        outputs: facts.outputBusses.map { BusSettings($0, sampleRate: Self.usualSampleRate) },
        values: Self.defaultValues(of: facts, inputBusCount: facts.inputBusses.count)))
    attach(state.withLock { $0.tree })
  }

  /// Until a host sets another. Hz
  static let usualSampleRate = 48_000.0

  static func defaultValues(of facts: UnitFacts, inputBusCount: Int) -> [UInt64: Float] {
    let all = facts.allParameters(inputBusCount: inputBusCount)
    return Dictionary(all.map { ($0.address, $0.info.defaultValue) }) { first, _ in first }
  }

  deinit {
    freeResources()
    service?.leave()
    descriptor.pointee.destroy(instance)
    bl_render_observers_destroy(observers.pointer)
  }

  /// Does it run the code that the component has now?
  public func isInstance(of component: Component) -> Bool {
    (try? component.descriptor(in: process))?.pointer == unitDescriptor.pointer
  }

  /// What a host renders.
  package var instance: OpaquePointer { unit.pointer }
  package var descriptor: UnsafePointer<bl_unit_descriptor> { unitDescriptor.pointer }

  func error(_ reason: String) -> AudioUnitError {
    AudioUnitError(unit: facts.name, reason: reason)
  }
}
