struct NotInTime: Error, CustomStringConvertible {
  var description: String
}

/// Waits until a condition holds, for at least 20 s.
///
/// - Throws: `NotInTime` with `what`.
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
