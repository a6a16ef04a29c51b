import AsyncSupport

/// A parameter and its new value.
public struct ParameterChange: Sendable {
  public let parameter: Parameter
  public let value: Float
}

/// The changes of a node's parameters, as an asynchronous sequence for one reader.
///
/// Each parameter's last value is always delivered, and values between may be left out, so at most
/// one change for each parameter is pending. The sequence ends when its task is cancelled.
public struct ParameterChanges: AsyncSequence, Sendable {
  /// The token that, given as originator, keeps a change out of this sequence.
  public var token: ParameterObserverToken { subscription.token }
  private let subscription: Subscription

  init(of node: some ParameterNode) { subscription = Subscription(node) }

  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: subscription, signals: subscription.signals.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription
    fileprivate var signals: AsyncStream<Void>.Iterator

    public mutating func next() async -> ParameterChange? {
      while !Task.isCancelled {
        if let (parameter, value) = subscription.pending.withLock({ $0.popFirst() }) {
          return ParameterChange(parameter: parameter, value: value)
        }
        guard await signals.next() != nil else { return nil }
      }
      return nil
    }
  }

  /// The observation, which lasts as long as the sequence or an iterator.
  fileprivate final class Subscription: Sendable {
    let pending = Guarded(PendingValues<Parameter, Float>())
    /// Yields an element whenever a change has been added to `pending`.
    let signals: AsyncStream<Void>
    let token: ParameterObserverToken
    private let tree: ParameterTree

    init(_ node: some ParameterNode) {
      let (signals, continuation) = AsyncStream<Void>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      self.signals = signals
      tree = node.tree
      token = node.token(byAddingParameterObserver: { [pending] parameter, value in
        pending.withLock { $0.add(value, of: parameter) }
        continuation.yield()
      })
    }

    deinit { tree.removeParameterObserver(token) }
  }
}

extension ParameterNode {
  /// The changes at this node and below it from now on.
  public func changes() -> ParameterChanges { ParameterChanges(of: self) }

  /// Every touch, value and release at this node and below it from now on; unread events are kept.
  public func automationEvents() -> AsyncStream<ParameterAutomationEvent> {
    let (stream, continuation) = AsyncStream<ParameterAutomationEvent>.makeStream()
    let token = token(byAddingParameterAutomationObserver: { events in
      for event in events { continuation.yield(event) }
    })
    continuation.onTermination = { [tree] _ in tree.removeParameterObserver(token) }
    return stream
  }
}
