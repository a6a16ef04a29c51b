struct NotInTime: Error, CustomStringConvertible {
  var description: String
}

/// Waits for something that must come true, and only gives up when all hope is gone.
package func eventually(
  isolation: isolated (any Actor)? = #isolation, _ what: String,
  _ condition: () async throws -> Bool
) async throws {
  for _ in 0..<2000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  throw NotInTime(description: what)
}
