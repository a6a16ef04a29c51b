/// The last value of each key, in the order in which the keys were first added.
struct PendingValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var keys: [Key] = []
  /// The number of elements of `keys` that have been removed.
  private var removedCount = 0
  private var values: [Key: Value] = [:]

  var isEmpty: Bool { values.isEmpty }

  func contains(_ key: Key) -> Bool { values[key] != nil }

  mutating func add(_ value: Value, of key: Key) {
    if values.updateValue(value, forKey: key) == nil { keys.append(key) }
  }

  var first: (key: Key, value: Value)? {
    guard removedCount < keys.count, let value = values[keys[removedCount]] else { return nil }
    return (keys[removedCount], value)
  }

  mutating func popFirst() -> (key: Key, value: Value)? {
    guard let first else { return nil }
    values[first.key] = nil
    removedCount += 1
    // Remove in large parts: dropping an array's first element copies the array.
    if removedCount * 2 >= keys.count {
      keys.removeFirst(removedCount)
      removedCount = 0
    }
    return first
  }
}
