/// Values that wait for room on their way to the render thread: the last of each parameter, in the
/// order in which they were first set.
struct WaitingValues: Sendable {
  private var order: [UInt64] = []
  private var values: [UInt64: Float] = [:]

  var isEmpty: Bool { order.isEmpty }

  func contains(_ address: UInt64) -> Bool { values[address] != nil }

  mutating func add(_ value: Float, of address: UInt64) {
    if values.updateValue(value, forKey: address) == nil { order.append(address) }
  }

  /// Sends and removes values until `send` answers that there is no more room.
  mutating func send(_ send: (_ address: UInt64, _ value: Float) -> Bool) {
    let sent = order.prefix { address in
      guard let value = values[address], send(address, value) else { return false }
      values[address] = nil
      return true
    }
    order.removeFirst(sent.count)
  }
}
