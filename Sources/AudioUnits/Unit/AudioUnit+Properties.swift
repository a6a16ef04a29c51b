import CKernel
import CUnit
import UnitModel

extension AudioUnit {
  public var componentDescription: ComponentDescription { facts.component }
  public var name: String { facts.name }
  public var manufacturerName: String { facts.manufacturerName }
  /// The version as 0x00MMmmpp; 0x00010000 for 1.0.0.
  public var componentVersion: UInt32 { facts.version }
  public var channelCapabilities: [ChannelCapability] { facts.channelCapabilities }
  /// Whether the bundle has a custom view.
  public var providesUserInterface: Bool { component.hasCustomView }
  public var canProcessInPlace: Bool { facts.canProcessInPlace }
  public var supportsMPE: Bool { facts.supportsMPE }
  /// Whether the unit follows `scheduleExpression`.
  public var followsExpressions: Bool { facts.followsExpressions }
  /// The number of MIDI input cables; 0 without MIDI input.
  public var virtualMIDICableCount: Int { facts.virtualMIDICableCount }
  /// The names of the MIDI output cables.
  public var midiOutputNames: [String] { facts.midiOutputNames }

  /// The names of keys on the first channel, such as “Snare”, by key; observable as a whole.
  public var noteNames: [Int: String] { read(\.noteNames) { $0.noteNames } }

  /// Queries the unit for the names of its keys, which may have changed.
  func askNoteNames() {
    guard let name = descriptor.pointee.note_name else { return }
    var names: [Int: String] = [:]
    var text = [CChar](repeating: 0, count: Int(BL_NOTE_NAME_CAPACITY))
    controlLock.withLock { _ in
      for key in 0..<128 {
        name(instance, 0, UInt8(key), &text, text.count)
        if text[0] != 0 { names[key] = String(text) }
      }
    }
    write(\.noteNames) { $0.noteNames = names }
  }

  /// The context in which the host uses the unit, for its view: "Guitar", "Bus 3".
  public var contextName: String? {
    get { read(\.contextName) { $0.contextName } }
    set { write(\.contextName) { $0.contextName = newValue } }
  }

  /// The sample rate, Hz: that of the first bus, if there is one; 48000 unless set.
  public var sampleRate: Double { read(\.sampleRate) { $0.sampleRate } }

  /// Sets the sample rate of the unit and of all its busses. This is the only way to set it on a unit without
  /// busses, such as a MIDI processor.
  ///
  /// - Throws: `AudioUnitError` while render resources are allocated, or if it is out of range.
  public func setSampleRate(_ rate: Double) throws(AudioUnitError) {
    try checkRange(ofSampleRate: rate)
    try whileIdle("the sample rate") { state in
      state.ownSampleRate = rate
      for bus in state.inputs.indices { state.inputs[bus].format.sampleRate = rate }
      for bus in state.outputs.indices { state.outputs[bus].format.sampleRate = rate }
    }
    notify(\.sampleRate)
    notify(\.inputBusses)
    notify(\.outputBusses)
  }

  func checkRange(ofSampleRate rate: Double) throws(AudioUnitError) {
    let range = AudioFormat.sampleRates
    guard range.contains(rate) else {
      throw error("sample rates are \(range.lowerBound) to \(range.upperBound) Hz, not \(rate)")
    }
  }

  /// The longest cycle that will be rendered, frames; 1024 by default.
  public var maximumFramesToRender: Int { read(\.maximumFramesToRender) { $0.maximumFrames } }

  /// - Throws: `AudioUnitError` while render resources are allocated.
  public func setMaximumFramesToRender(_ frames: Int) throws(AudioUnitError) {
    guard (1...1 << 20).contains(frames) else {
      throw error("a cycle has 1 to \(1 << 20) frames, not \(frames)")
    }
    try whileIdle("maximumFramesToRender") { $0.maximumFrames = frames }
    notify(\.maximumFramesToRender)
  }

  /// The number of events that can be scheduled at one time; 8192 by default.
  public var eventCapacity: Int { read(\.eventCapacity) { $0.eventCapacity } }

  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit of a rack, whose
  ///   kernel has one schedule for all units.
  public func setEventCapacity(_ count: Int) throws(AudioUnitError) {
    guard !isInRack else { throw error("the rack keeps its schedule") }
    guard (1...1 << 24).contains(count) else {
      throw error("the event capacity is 1 to \(1 << 24), not \(count)")
    }
    try whileIdle("eventCapacity") { $0.eventCapacity = count }
    notify(\.eventCapacity)
  }

  /// Whether the input is passed through instead of the output. Crossfades; the unit keeps rendering.
  /// If the kernel has no room for commands, the bypass follows as soon as it has.
  public var shouldBypassEffect: Bool {
    get { read(\.shouldBypassEffect) { $0.parameters.isBypassed } }
    set {
      controlLock.withLock { _ in
        state.withLock { state in
          state.parameters.setBypass(newValue, isPlayed: state.resources != nil)
          sendWaiting(&state)
        }
      }
      notify(\.shouldBypassEffect)
    }
  }

  /// Whether the unit is rendered faster or slower than real time.
  public var isRenderingOffline: Bool {
    get { read(\.isRenderingOffline) { $0.isRenderingOffline } }
    set { write(\.isRenderingOffline) { $0.isRenderingOffline = newValue } }
  }

  public var renderResourcesAllocated: Bool {
    registrar.access(self, keyPath: \.renderResourcesAllocated)
    return state.withLock { $0.resources != nil }
  }

  /// The delay from input to output, frames; known once render resources are allocated.
  public var latency: Int { read(\.latency) { $0.latency.frames } }

  /// The tail after the input ends, seconds; infinite if it never ends.
  public var tailTime: Double { read(\.tailTime) { $0.tailTime } }

  /// The number of events lost so far, because there was no room or they did not fit the unit.
  public var lostEventCount: Int { read(\.lostEventCount) { $0.lostEventCount } }
}
