import CKernel
import Synchronization
import UnitModel

/// When an event is to be played.
public enum EventTime: Sendable {
  /// At the beginning of the next cycle, and so many frames (4096 at most) later.
  case now(offset: Int)
  /// In the frames of the timestamps that the unit is rendered with; a time that has passed is now.
  case sampleTime(Int64)

  public static let now = EventTime.now(offset: 0)

  var frames: Int64 {
    switch self {
    case .now(let offset): Int64.min + Int64(min(max(offset, 0), 4096))
    case .sampleTime(let time): time
    }
  }
}

extension AudioUnit {
  /// Bytes of the longest system exclusive message that can be scheduled.
  public static var longestSystemExclusive: Int { Int(BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH) }

  /// The value of every parameter by address: as set last, here or by an event that has been played.
  public var parameterValues: [UInt64: Float] { read(\.parameterValues) { $0.values } }

  /// One parameter's value; of one that the unit itself moves (a meter), where it stands. Nil where
  /// there is no such address.
  public func parameterValue(_ address: UInt64) -> Float? {
    let isMeter = facts.parameter(at: address)?.info.flags.contains(.writable) == false
    return state.withLock { state in
      guard state.values[address] != nil else { return nil }
      guard isMeter, let node = state.resources?.node.pointer else { return state.values[address] }
      return bl_node_value(node, address)
    }
  }

  /// Sets a parameter, to the nearest value that it can have: at once, or where the unit may be
  /// rendered, with the next cycle and ramped over a few milliseconds. What the kernel has no room for
  /// follows as soon as it has, and nothing that is scheduled overtakes it.
  ///
  /// - Throws: `AudioUnitError` where there is no such parameter, it is not writable, or the value is
  ///   no number; then the value is as before.
  public func setParameter(_ address: UInt64, to value: Float) throws(AudioUnitError) {
    set([(address, try heldValue(value, of: address))])
  }

  /// Sets parameters to values that they can have, all in one turn.
  func set(_ held: [(address: UInt64, value: Float)]) {
    // Remembered in the same turn: of two threads, the last to set it is the last to be remembered.
    turn.withLock { _ in
      let isAllocated = state.withLock { state in
        for (address, value) in held { state.values[address] = value }
        guard state.resources != nil else { return false }
        for (address, value) in held { state.waiting.add(value, of: address) }
        sendWaiting(&state)
        return true
      }
      if !isAllocated {
        for (address, value) in held { descriptor.pointee.set_parameter(instance, address, value) }
      }
    }
    notify(\.parameterValues)
    for (address, value) in held { show(value, of: address) }
  }

  /// Ramps a parameter from where it is, from the next cycle on, over so many frames. Where the kernel
  /// takes nothing now it is set as soon as it does, as `setParameter` has it.
  ///
  /// - Throws: as `setParameter`.
  package func rampParameter(
    _ address: UInt64, to value: Float, over frames: Int
  ) throws(AudioUnitError) {
    let held = try heldValue(value, of: address)
    let isSent = turn.withLock { _ in
      state.withLock { state in
        guard state.resources != nil, state.waiting.isEmpty,
          link.gate.send(change(address, to: held, ramp: frames, at: .now))
        else { return false }
        state.values[address] = held
        state.sent = bl_command_gate_sent(link.gate.pointer)
        return true
      }
    }
    guard isSent else { return set([(address, held)]) }
    notify(\.parameterValues)
    show(held, of: address)
  }

  /// Sends what waits, as far as there is room.
  func sendWaiting(_ state: inout State) {
    guard !state.waiting.isEmpty else { return }
    state.waiting.send { address, value in
      var command = bl_command()
      command.type = BL_COMMAND_SET_PARAMETER
      command.node = link.identifier
      command.parameter = bl_parameter_event(address: address, value: value, ramp_duration: 0)
      return link.gate.send(command)
    }
    state.sent = bl_command_gate_sent(link.gate.pointer)
    hasWaiting.store(!state.waiting.isEmpty, ordering: .releasing)
  }

  /// Schedules a parameter's change, or its ramp over `ramp` frames; from any thread, without a lock.
  ///
  /// - Throws: `AudioUnitError` where there is no such parameter, without render resources, or where
  ///   the kernel has no room for commands.
  public func scheduleParameter(
    at time: EventTime = .now, ramp: Int = 0, address: UInt64, value: Float
  ) throws(AudioUnitError) {
    let command = change(address, to: try heldValue(value, of: address), ramp: ramp, at: time)
    guard !hasWaiting.load(ordering: .acquiring), link.gate.send(command)
    else {
      throw error("it is not ready to render, or has no room for more events")
    }
  }

  private func change(
    _ address: UInt64, to value: Float, ramp: Int, at time: EventTime
  ) -> bl_command {
    var command = bl_command()
    command.type = BL_COMMAND_SCHEDULE
    command.node = link.identifier
    command.event = bl_event()
    command.event.sample_time = time.frames
    command.event.type = ramp > 0 ? BL_EVENT_PARAMETER_RAMP : BL_EVENT_PARAMETER
    command.event.parameter = bl_parameter_event(
      address: address, value: value, ramp_duration: UInt32(clamping: ramp))
    return command
  }

  /// Schedules a whole MIDI message, its status byte first; system exclusive with its 0xF0 and 0xF7.
  /// From any thread, without a lock.
  ///
  /// - Throws: `AudioUnitError` where the bytes are no message, are longer than
  ///   `longestSystemExclusive`, without render resources, or where there is no room for them.
  public func scheduleMIDI(
    at time: EventTime = .now, cable: UInt8 = 0, bytes: some Sequence<UInt8>
  ) throws(AudioUnitError) {
    let bytes = Array(bytes)
    guard bytes.count <= Self.longestSystemExclusive else {
      throw error(
        "a MIDI message of \(bytes.count) bytes is too long; \(Self.longestSystemExclusive) will do"
      )
    }
    guard !hasWaiting.load(ordering: .acquiring) else {
      throw error("it has no room for more events")
    }
    let status = bl_command_gate_send_midi(
      link.gate.pointer, link.identifier, time.frames, cable, UInt32(bytes.count), bytes)
    switch Int(status) {
    case Int(BL_OK): return
    case Int(BL_ERROR_INVALID_PROPERTY_VALUE):
      let list = bytes.prefix(8).map { String($0, radix: 16, uppercase: true) }
      throw error("the bytes \(list.joined(separator: " ")) are no MIDI message")
    case Int(BL_ERROR_NOT_ALLOCATED): throw error("it is not ready to render")
    default: throw error("it has no room for more events")
    }
  }

  func heldValue(_ value: Float, of address: UInt64) throws(AudioUnitError) -> Float {
    guard let info = facts.parameter(at: address)?.info else {
      throw error("it has no parameter at address \(address)")
    }
    guard info.flags.contains(.writable) else {
      throw error("“\(info.name)” is the unit's own to move")
    }
    guard !value.isNaN else { throw error("“\(info.name)” takes a number") }
    return info.nearest(to: value)
  }
}
