import AsyncSupport

/// A parameter and its new value.
public struct ParameterChange: Sendable {
  public let parameter: Parameter
  public let value: Float
}

/// The changes of a node's parameters, as a sequence for one reader.
///
/// Of each parameter the last value is always delivered, and values between may be left out; so at
/// most one change for each parameter is pending. Ends when its task is cancelled.
public struct ParameterChanges: AsyncSequence, Sendable {
  /// Given as originator, keeps a change out of this sequence.
  public var token: ParameterObserverToken { subscription.token }
  private let subscription: Subscription

  init(of node: some ParameterNode) {
    subscription = Subscription(node)
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: subscription, bells: subscription.bells.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription
    fileprivate var bells: AsyncStream<Void>.Iterator

    public mutating func next() async -> ParameterChange? {
      while !Task.isCancelled {
        if let change = subscription.waiting.take() { return change }
        guard await bells.next() != nil else { return nil }
      }
      return nil
    }
  }

  /// Observes for as long as the sequence or an iterator exists.
  fileprivate final class Subscription: Sendable {
    let waiting = WaitingChanges()
    let bells: AsyncStream<Void>
    let token: ParameterObserverToken
    private let tree: ParameterTree

    init(_ node: some ParameterNode) {
      let (bells, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      self.bells = bells
      tree = node.tree
      token = node.token(byAddingParameterObserver: { [waiting] parameter, value in
        waiting.add(parameter, value)
        bell.yield()
      })
    }

    deinit { tree.removeParameterObserver(token) }
  }

  /// The last undelivered change of each parameter.
  fileprivate final class WaitingChanges: Sendable {
    private struct State: Sendable {
      var order: [Parameter] = []
      /// How many of `order` have been delivered.
      var takenCount = 0
      var values: [Parameter: Float] = [:]
    }

    private let state = Guarded(State())

    func add(_ parameter: Parameter, _ value: Float) {
      state.withLock { state in
        if state.values.updateValue(value, forKey: parameter) == nil {
          state.order.append(parameter)
        }
      }
    }

    func take() -> ParameterChange? {
      state.withLock { state in
        guard state.takenCount < state.order.count else { return nil }
        let parameter = state.order[state.takenCount]
        state.takenCount += 1
        // Removed in large parts, so that the cost is small, and the array at most twice as long as needed.
        if state.takenCount * 2 >= state.order.count {
          state.order.removeFirst(state.takenCount)
          state.takenCount = 0
        }
        return state.values.removeValue(forKey: parameter).map {
          ParameterChange(parameter: parameter, value: $0)
        }
      }
    }
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
