import CKernel
import UnitModel

/// The time at which an event takes effect.
public enum EventTime: Sendable {
  /// The start of the next cycle plus `offset` frames, 0 to 4096.
  case now(offset: Int)
  /// A time on the timeline of the timestamps that the unit is rendered with, frames, within
  /// `sampleTimes`; a past time means now.
  case sampleTime(Int64)

  public static let now = EventTime.now(offset: 0)

  /// The range of sample times that can be rendered and scheduled, frames.
  public static let sampleTimes: ClosedRange<Int64> = -(1 << 62)...1 << 62
}

/// Schedules events for a unit from C code on any thread, real-time threads included:
/// `bl_schedule_parameter` and `bl_schedule_midi` of `kernel/command_gate.h` with this pointer.
///
/// Valid for as long as the unit exists.
///
/// Unchecked because of the pointer: any thread may use it (command_gate.h).
public struct EventScheduler: @unchecked Sendable {
  public let pointer: OpaquePointer
}

extension AudioUnit {
  /// The longest system exclusive message that can be scheduled, bytes.
  public static var longestSystemExclusive: Int { Int(BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH) }

  /// Schedules events lock-free, for C code on real-time threads.
  public var eventScheduler: EventScheduler { EventScheduler(pointer: schedulerHandle.pointer) }

  /// Every parameter's value by address: the last one set, here or by an event that has been played.
  public var parameterValues: [UInt64: Float] { read(\.parameterValues) { $0.parameters.values } }

  /// Returns a parameter's value, or a meter's current reading; nil if there is no such address.
  public func parameterValue(_ address: UInt64) -> Float? {
    let isMeter = facts.parameter(at: address)?.info.flags.contains(.writable) == false
    return state.withLock { state in
      guard state.parameters.values[address] != nil else { return nil }
      guard isMeter, let node = state.resources?.node.pointer else {
        return state.parameters.values[address]
      }
      return bl_node_value(node, address)
    }
  }

  /// Sets a parameter to the nearest possible value: at once, or while render resources are
  /// allocated, with the next cycle and ramped over 20 ms. If the kernel has no room, the value
  /// follows as soon as it has, and no scheduled event overtakes it.
  ///
  /// - Throws: `AudioUnitError` if there is no such parameter, it is not writable, or the value is
  ///   NaN; then the value stays.
  public func setParameter(_ address: UInt64, to value: Float) throws(AudioUnitError) {
    set([(address, try heldValue(value, of: address))])
  }

  /// Sets several parameters at once, to values within their ranges.
  func set(_ held: [(address: UInt64, value: Float)]) {
    // Store under the same lock: of two threads, the last to set a value is the last to store it.
    controlLock.withLock { _ in
      let isAllocated = state.withLock { state in
        for (address, value) in held { store(value, of: address, in: &state) }
        guard state.resources != nil else { return false }
        for (address, value) in held { state.parameters.enqueue(value, of: address) }
        sendWaiting(&state)
        return true
      }
      if !isAllocated {
        for (address, value) in held { descriptor.pointee.set_parameter(instance, address, value) }
      }
    }
    notify(\.parameterValues)
    for (address, _) in held { show(address) }
  }

  /// Stores a value that was set; a button stores none.
  private func store(_ value: Float, of address: UInt64, in state: inout State) {
    if facts.parameter(at: address)?.info.isMomentary == false {
      state.parameters.values[address] = value
    }
  }

  /// Ramps a parameter linearly from its current value over `frames` frames, from the next cycle on. If
  /// the kernel has no room, sets it as `setParameter` does.
  ///
  /// - Throws: as `setParameter`.
  package func rampParameter(
    _ address: UInt64, to value: Float, over frames: Int
  ) throws(AudioUnitError) {
    let held = try heldValue(value, of: address)
    let isSent = controlLock.withLock { _ in
      state.withLock { state in
        guard state.resources != nil, !state.parameters.isWaiting,
          schedule(address, held, ramp: frames, at: Int64.min) == BL_OK
        else { return false }
        store(held, of: address, in: &state)
        state.parameters.markSent(over: link)
        return true
      }
    }
    guard isSent else { return set([(address, held)]) }
    notify(\.parameterValues)
    show(address)
  }

  /// Sends values that wait for room in the kernel, as many as fit now.
  func sendWaiting(_ state: inout State) {
    guard state.parameters.isWaiting else { return }
    let isDone = state.parameters.send(over: link)
    bl_scheduler_hold(schedulerHandle.pointer, !isDone)
  }

  /// Schedules a parameter's change, or its linear ramp over `ramp` frames. Lock-free, from any
  /// thread.
  ///
  /// - Throws: `AudioUnitError` if there is no such parameter, the time or the ramp is out of range, no
  ///   render resources are allocated, or the kernel has no room for commands.
  public func scheduleParameter(
    at time: EventTime = .now, ramp: Int = 0, address: UInt64, value: Float
  ) throws(AudioUnitError) {
    let held = try heldValue(value, of: address)
    guard (0...Int(UInt32.max)).contains(ramp) else {
      throw error("a ramp of \(ramp) frames is out of range")
    }
    try check(schedule(address, held, ramp: ramp, at: try sampleTime(time)))
  }

  /// Sets a parameter at a given time, with the same 20 ms ramp as `setParameter`.
  ///
  /// - Throws: as `scheduleParameter`.
  package func setParameter(
    _ address: UInt64, to value: Float, at time: EventTime
  ) throws(AudioUnitError) {
    let held = try heldValue(value, of: address)
    let frames = Int(bl_ramp_frames(sampleRate))
    try check(schedule(address, held, ramp: frames, isLine: false, at: try sampleTime(time)))
  }

  /// Schedules a whole MIDI message, its status byte first; system exclusive with its 0xF0 and 0xF7.
  /// Lock-free, from any thread.
  ///
  /// - Throws: `AudioUnitError` if the unit has no such cable of MIDI input, the bytes are not a
  ///   message or are longer than `longestSystemExclusive`, the time is out of range, no render
  ///   resources are allocated, or the kernel has no room.
  public func scheduleMIDI(
    at time: EventTime = .now, cable: UInt8 = 0, bytes: some Sequence<UInt8>
  ) throws(AudioUnitError) {
    let bytes = Array(bytes)
    guard bytes.count <= Self.longestSystemExclusive else {
      throw error(
        "a MIDI message of \(bytes.count) bytes is too long; the longest has"
          + " \(Self.longestSystemExclusive)")
    }
    let status = bl_schedule_midi(
      schedulerHandle.pointer, try sampleTime(time), cable, UInt32(bytes.count), bytes)
    if Int(status) == Int(BL_ERROR_NO_SUCH_ELEMENT) {
      let count = virtualMIDICableCount
      throw error(
        count == 0
          ? "it has no MIDI input"
          : "it has no MIDI cable \(cable), only \(count == 1 ? "cable 0" : "0 to \(count - 1)")")
    }
    if Int(status) == Int(BL_ERROR_INVALID_PROPERTY_VALUE) {
      let list = bytes.prefix(8).map { String($0, radix: 16, uppercase: true) }
      throw error("the bytes \(list.joined(separator: " ")) are not a MIDI message")
    }
    try check(status)
  }

  private func schedule(
    _ address: UInt64, _ value: Float, ramp: Int, isLine: Bool = true, at sampleTime: Int64
  ) -> bl_status {
    bl_schedule_parameter(
      schedulerHandle.pointer, sampleTime,
      bl_parameter_event(
        address: address, value: value, ramp_duration: UInt32(clamping: ramp), is_line: isLine))
  }

  func check(_ status: bl_status) throws(AudioUnitError) {
    if Int(status) == Int(BL_ERROR_NOT_ALLOCATED) {
      throw error("its render resources are not allocated")
    }
    guard status == BL_OK else { throw error("it has no room for more events") }
  }

  func sampleTime(_ time: EventTime) throws(AudioUnitError) -> Int64 {
    switch time {
    case .now(let offset):
      guard (0...4096).contains(offset) else {
        throw error("an offset of \(offset) frames is out of range; it is 0 to 4096")
      }
      return Int64.min + Int64(offset)
    case .sampleTime(let time):
      try check(sampleTime: time)
      return time
    }
  }

  func check(sampleTime: Int64) throws(AudioUnitError) {
    guard EventTime.sampleTimes.contains(sampleTime) else {
      throw error("sample time \(sampleTime) is out of range")
    }
  }

  func heldValue(_ value: Float, of address: UInt64) throws(AudioUnitError) -> Float {
    guard let info = facts.parameter(at: address)?.info else {
      throw error("it has no parameter at address \(address)")
    }
    guard info.flags.contains(.writable) else {
      throw error("“\(info.name)” is a meter and cannot be set")
    }
    guard !value.isNaN else { throw error("“\(info.name)” cannot be NaN") }
    return info.nearest(to: value)
  }
}
