import CKernel

/// A unit's parameter values and bypass, and how much of them the kernel has: what is set here may wait for room
/// in the kernel, and the render side reports what events have set.
struct KernelValues: Sendable {
  /// The values by address, as last set here or reported by the render side.
  var values: [UInt64: Float]
  private(set) var isBypassed = false
  /// Values that the kernel has had no room for yet.
  private var waiting = PendingValues<UInt64, Float>()
  /// Whether `isBypassed` still waits for room in the kernel.
  private var isBypassWaiting = false
  /// The number of commands in the kernel after the last one sent from here; nil before that.
  private var sent: UInt32?
  /// The values by address, as last reported by the render side.
  private var reported: [UInt64: Float] = [:]
  private var reportedChanges: UInt32 = 0

  init(_ values: [UInt64: Float]) { self.values = values }

  var isWaiting: Bool { isBypassWaiting || !waiting.isEmpty }

  /// Adds a value for the next `send`.
  mutating func enqueue(_ value: Float, of address: UInt64) { waiting.add(value, of: address) }

  /// - Parameter isPlayed: whether a kernel must follow.
  mutating func setBypass(_ isBypassed: Bool, isPlayed: Bool) {
    self.isBypassed = isBypassed
    isBypassWaiting = isPlayed
  }

  /// Sends what waits, as much as fits now; returns whether nothing waits any more.
  mutating func send(over link: CommandLink) -> Bool {
    if isBypassWaiting {
      var command = bl_command()
      command.type = BL_COMMAND_SET_BYPASS
      command.node = link.identifier
      command.bypassed = isBypassed
      isBypassWaiting = !link.gate.send(command)
    }
    while let (address, value) = waiting.first {
      var command = bl_command()
      command.type = BL_COMMAND_SET_PARAMETER
      command.node = link.identifier
      command.parameter = bl_parameter_event(
        address: address, value: value, ramp_duration: 0, is_line: false)
      guard link.gate.send(command) else { break }
      _ = waiting.popFirst()
    }
    markSent(over: link)
    return !isWaiting
  }

  /// Remembers the last command in the kernel as sent from here.
  mutating func markSent(over link: CommandLink) { sent = bl_command_gate_sent(link.gate.pointer) }

  /// Drops what waits: its kernel is gone.
  mutating func discardWaiting() {
    waiting = PendingValues()
    isBypassWaiting = false
  }

  /// Reads the initial values of a new node, which do not count as changes.
  mutating func readFirst(_ node: OpaquePointer) {
    sent = nil
    reportedChanges = bl_node_change_count(node)
    reported = Dictionary(uniqueKeysWithValues: values.keys.map { ($0, bl_node_value(node, $0)) })
  }

  /// Whether the render side has processed every command that was sent. Only then do its values count: an older
  /// value must not overwrite one that was set since.
  func isCurrent(over link: CommandLink) -> Bool {
    !isBypassWaiting && sent.map { bl_command_gate_has_done(link.gate.pointer, $0) } ?? true
  }

  /// Applies a bypass that events have set; returns whether it changed.
  mutating func readBypass(_ node: OpaquePointer) -> Bool {
    var read = false
    guard bl_node_pop_bypass_change(node, &read), read != isBypassed else { return false }
    isBypassed = read
    return true
  }

  /// Applies values that events have set, and returns the addresses of those that changed. A value that
  /// was set here and has not reached the render side yet stays: only changes of the render side count.
  mutating func readChanges(_ node: OpaquePointer) -> [UInt64] {
    let changes = bl_node_change_count(node)
    guard changes != reportedChanges else { return [] }
    reportedChanges = changes
    var changed: [UInt64] = []
    for address in values.keys {
      let value = bl_node_value(node, address)
      guard reported.updateValue(value, forKey: address) != value, !waiting.contains(address)
      else { continue }
      if values[address] != value { changed.append(address) }
      values[address] = value
    }
    return changed
  }
}
