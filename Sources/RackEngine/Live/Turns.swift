/// Lets one after another in, in the order they came: an actor alone lets others in wherever one
/// waits.
///
/// Of one actor, which alone may call it.
final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits for its turn.
  func begin(isolation: isolated (any Actor)? = #isolation) async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Lets the next one in.
  func end() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
