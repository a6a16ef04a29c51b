/// The mutable state of a tree, under its lock.
struct ParameterTreeState: Sendable {
  enum Observer: Sendable {
    case value(ParameterObserver)
    case recording(ParameterRecordingObserver)
    case automation(ParameterAutomationObserver)
  }

  struct Registration: Sendable {
    let node: Int
    let observer: Observer
  }

  struct QueuedEvent: Sendable {
    let parameter: Int
    let event: ParameterAutomationEvent
    let originator: ParameterObserverToken?
  }

  /// By node.
  var callbacks: [Int: ImplementorCallbacks] = [:]
  /// The parameters for which a thread is calling the implementor, each with the value that was set
  /// meanwhile, if any.
  var sending: [Int: Float?] = [:]

  private(set) var registrations: [ParameterObserverToken: Registration] = [:]
  /// By node, in order of registration.
  private(set) var valueTokens: [Int: [ParameterObserverToken]] = [:]
  /// In order of registration.
  private(set) var eventTokens: [ParameterObserverToken] = []

  /// Parameters whose change the value observers have not been told yet, in order; each once.
  private var changed: [Int] = []
  private var isChanged: [Bool]
  private var originators: [ParameterObserverToken?]
  private var events: [QueuedEvent] = []
  /// Whether a delivery is under way or scheduled.
  private var isDelivering = false

  init(parameterCount: Int) {
    isChanged = Array(repeating: false, count: parameterCount)
    originators = Array(repeating: nil, count: parameterCount)
  }

  var wantsEvents: Bool { !eventTokens.isEmpty }

  mutating func add(_ observer: Observer, at node: Int) -> ParameterObserverToken {
    let token = ParameterObserverToken()
    registrations[token] = Registration(node: node, observer: observer)
    if case .value = observer {
      valueTokens[node, default: []].append(token)
    } else {
      eventTokens.append(token)
    }
    return token
  }

  mutating func remove(_ token: ParameterObserverToken) {
    guard let node = registrations.removeValue(forKey: token)?.node else { return }
    valueTokens[node]?.removeAll { $0 == token }
    if valueTokens[node]?.isEmpty == true { valueTokens[node] = nil }
    eventTokens.removeAll { $0 == token }
  }

  /// Remembers a change for the value observers. Of several before a delivery the last one counts.
  mutating func note(changeOf parameter: Int, by originator: ParameterObserverToken?) {
    guard !valueTokens.isEmpty else { return }
    originators[parameter] = originator
    if !isChanged[parameter] {
      isChanged[parameter] = true
      changed.append(parameter)
    }
  }

  mutating func note(_ event: QueuedEvent) { events.append(event) }

  /// Whether the caller has to start a delivery.
  mutating func startDelivery() -> Bool {
    if isDelivering || changed.isEmpty && events.isEmpty { return false }
    isDelivering = true
    return true
  }

  /// Removes and answers everything to be delivered; nil ends the delivery.
  mutating func nextWork() -> (changed: [Int], events: [QueuedEvent])? {
    defer { (changed, events) = ([], []) }
    isDelivering = !changed.isEmpty || !events.isEmpty
    return isDelivering ? (changed, events) : nil
  }

  /// The originator of the last change, which is no longer pending.
  mutating func endChange(of parameter: Int) -> ParameterObserverToken? {
    isChanged[parameter] = false
    return originators[parameter]
  }
}
