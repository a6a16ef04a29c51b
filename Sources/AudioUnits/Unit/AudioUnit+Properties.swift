import CKernel
import UnitModel

extension AudioUnit {
  public var componentDescription: ComponentDescription { facts.component }
  public var name: String { facts.name }
  public var manufacturerName: String { facts.manufacturerName }
  /// 0x00MMmmpp, as in 0x00010000 for 1.0.0.
  public var componentVersion: UInt32 { facts.version }
  public var channelCapabilities: [ChannelCapability] { facts.channelCapabilities }
  /// Does it bring a view of its own?
  public var providesUserInterface: Bool { component.hasCustomView }
  public var canProcessInPlace: Bool { facts.canProcessInPlace }
  public var supportsMPE: Bool { facts.supportsMPE }
  /// Cables of MIDI input; 0 without MIDI input.
  public var virtualMIDICableCount: Int { facts.virtualMIDICableCount }
  /// One for each cable of MIDI output.
  public var midiOutputNames: [String] { facts.midiOutputNames }

  /// Where the host uses the unit, for its view: "Guitar", "Bus 3".
  public var contextName: String? {
    get { read(\.contextName) { $0.contextName } }
    set { write(\.contextName) { $0.contextName = newValue } }
  }

  /// The longest cycle that will be rendered, frames; 1024 unless set.
  public var maximumFramesToRender: Int { read(\.maximumFramesToRender) { $0.maximumFrames } }

  /// - Throws: `AudioUnitError` while render resources are allocated.
  public func setMaximumFramesToRender(_ frames: Int) throws(AudioUnitError) {
    guard (1...1 << 20).contains(frames) else { throw error("\(frames) frames are no cycle") }
    try whileIdle("maximumFramesToRender") { $0.maximumFrames = frames }
    notify(\.maximumFramesToRender)
  }

  /// Events that can be scheduled at one time, 8192 unless set.
  public var eventCapacity: Int { read(\.eventCapacity) { $0.eventCapacity } }

  /// - Throws: `AudioUnitError` while render resources are allocated, and for a unit of a rack, whose
  ///   kernel has a schedule for all.
  public func setEventCapacity(_ count: Int) throws(AudioUnitError) {
    guard !isInRack else { throw error("the rack keeps its schedule") }
    guard (1...1 << 24).contains(count) else { throw error("\(count) events are no capacity") }
    try whileIdle("eventCapacity") { $0.eventCapacity = count }
    notify(\.eventCapacity)
  }

  /// Is the input to be heard in the place of the output? Crossfades; the unit goes on unheard.
  public var shouldBypassEffect: Bool {
    get { read(\.shouldBypassEffect) { $0.shouldBypass } }
    set { _ = setBypass(newValue) }
  }

  /// False, with all as before, where the kernel has no room for commands.
  package func setBypass(_ isBypassed: Bool) -> Bool {
    let isSent = turn.withLock { _ in
      state.withLock { state in
        if state.resources != nil {
          var command = bl_command()
          command.type = BL_COMMAND_SET_BYPASS
          command.node = link.identifier
          command.bypassed = isBypassed
          guard link.gate.send(command) else { return false }
          state.sent = bl_command_gate_sent(link.gate.pointer)
        }
        state.shouldBypass = isBypassed
        return true
      }
    }
    if isSent { notify(\.shouldBypassEffect) }
    return isSent
  }

  /// Is it rendered faster or slower than it sounds?
  public var isRenderingOffline: Bool {
    get { read(\.isRenderingOffline) { $0.isRenderingOffline } }
    set { write(\.isRenderingOffline) { $0.isRenderingOffline = newValue } }
  }

  public var renderResourcesAllocated: Bool {
    registrar.access(self, keyPath: \.renderResourcesAllocated)
    return state.withLock { $0.resources != nil }
  }

  /// Frames by which the output lags the input; known once render resources are allocated.
  public var latency: Int { read(\.latency) { $0.latency } }

  /// Seconds for which sound goes on after the input ends; infinite where it never does.
  public var tailTime: Double { read(\.tailTime) { $0.tailTime } }

  /// Events that found no room or that the unit could not take, so far.
  public var lostEventCount: Int { read(\.lostEventCount) { $0.lostEventCount } }
}
