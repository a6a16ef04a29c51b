import AsyncSupport
import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

/// The distributor of a rack's events to all subscribers. A peer is not sent the values that it has set itself.
final class EventFeed: Sendable {
  fileprivate struct State: Sendable {
    var subscriptions: [EventSubscription] = []
    var structureGeneration = 0
    var revision = 0
    var units: [NamedUnit] = []
    var observed: [(tree: ParameterTree, token: ParameterObserverToken)] = []
    /// The read-only parameters.
    var shown: [(unit: AudioUnit, path: ParameterPath, parameter: ParameterReference)] = []
    /// The values that peers have set and the units have not reported yet, by parameter.
    var expected: [String: [(value: Float, originator: Peer)]] = [:]
    var ticker: Task<Void, Never>?
  }

  private let state = Guarded(State())
  /// The largest number of expected values of one parameter, above the number of sets that await their report.
  private static let maximumExpected = 64

  deinit { state.withLock { $0.ticker?.cancel() } }

  func subscribe(_ peer: Peer?, meters rate: Double?) -> EventSubscription {
    let subscription = EventSubscription(peer, meters: rate)
    state.withLock { $0.subscriptions.append(subscription) }
    return subscription
  }

  func cancel(_ subscription: EventSubscription) {
    state.withLock { $0.subscriptions.removeAll { $0 === subscription } }
  }

  /// Records that a peer is about to set a parameter, so that the next change to this value is not sent to the peer.
  func expect(_ value: Float, of path: ParameterPath, by originator: Peer) {
    state.withLock { state in
      state.expected[path.description, default: []].append((value, originator))
      if state.expected[path.description, default: []].count > Self.maximumExpected {
        state.expected[path.description]?.removeFirst()
      }
    }
  }

  /// Sends an event to all subscribers.
  func post(_ event: any RackEvent) { post(event, from: nil) }

  private func post(_ event: any RackEvent, from originator: Peer?) {
    for subscription in subscriptions { subscription.receive(event, from: originator) }
  }

  /// Increments the revision, and sends the new value of a parameter to all subscribers but its originator.
  func postValue(
    _ value: Float, of path: ParameterPath, _ info: ParameterInfo, text: String? = nil
  ) {
    let (revision, originator) = state.withLock { state in
      state.revision += 1
      return (state.revision, state.popOriginator(of: path.description, value: value))
    }
    let reading = ParameterReading(path, value: value, info: info, text: text, revision: revision)
    post(ValuesChanged([reading]), from: originator)
  }

  /// Increments the generation and the revision, and reports that other units, cables or presets play.
  func postReplacement(by rack: String) {
    state.withLock { state in
      state.structureGeneration += 1
      state.revision += 1
      state.expected = [:]
    }
    post(RackReplaced(rack))
  }

  /// Has all subscriptions compare the session's state with the state sent last.
  func sessionMayHaveChanged() {
    for subscription in subscriptions { subscription.sessionMayHaveChanged() }
  }

  /// The signals that any subscriber watches.
  var watchedSignals: Set<WatchedSignal> {
    subscriptions.reduce(into: []) { $0.formUnion($1.watched) }
  }

  /// Sets the signals that the subscriptions of a peer watch.
  ///
  /// - Throws: `Refusal` if the peer has no subscription, or the sound of too many inputs and outputs is watched.
  func watch(_ signals: Set<WatchedSignal>, for peer: Peer) throws(Refusal) {
    let own = subscriptions.filter { $0.peer == peer }
    guard !own.isEmpty else { throw Refusal("only a peer that has subscribed can watch") }
    let others = subscriptions.filter { $0.peer != peer }
    let all = others.reduce(into: signals) { $0.formUnion($1.watched) }
    guard Set(all.compactMap(\.sound)).count <= TelemetryFeed.maximumSounds else {
      throw Refusal(
        "\(TelemetryFeed.maximumSounds) inputs and outputs are watched already; close another view")
    }
    for subscription in own { subscription.watch(signals) }
  }

  private var subscriptions: [EventSubscription] { state.withLock(\.subscriptions) }

  var revision: Int { state.withLock(\.revision) }
  var structureGeneration: Int { state.withLock(\.structureGeneration) }

  /// The units that play now.
  var units: [NamedUnit] { state.withLock(\.units) }

  /// Replaces the observed units.
  func observe(_ units: [NamedUnit]) {
    let observed = units.map { unit in
      let tree = unit.audioUnit.parameterTree
      let token = tree.token(byAddingParameterObserver: { [weak self, name = unit.name] in
        // Meters come with the meters of the rack.
        guard $0.flags.contains(.writable) else { return }
        self?.postValue(
          $1, of: ParameterPath(unit: name, keyPath: $0.keyPath), $0.info,
          text: $0.flags.contains(.hasText) ? $0.string(fromValue: $1) : nil)
      })
      return (tree: tree, token: token)
    }
    let shown = units.flatMap { unit in
      unit.audioUnit.facts.allParameters().filter { !$0.info.flags.contains(.writable) }.map {
        (unit.audioUnit, ParameterPath(unit: unit.name, keyPath: $0.keyPath), $0)
      }
    }
    let before = state.withLock { state in
      defer { (state.units, state.observed, state.shown) = (units, observed, shown) }
      return state.observed
    }
    for (tree, token) in before { tree.removeParameterObserver(token) }
  }

  /// Starts to read meters at the shortest interval of all subscribers, for all subscribers with meters, until there
  /// are none. Changes of read-only parameters, such as a gain reduction, are sent with the meters.
  func startMeters(_ status: @escaping @Sendable (_ since: Int64?) async -> EngineSnapshot) {
    state.withLock { state in
      // Restarts, as the newest subscriber may have the shortest interval.
      state.ticker?.cancel()
      state.ticker = Task { [weak self] in
        var since: Int64?
        var sent: [String: Float] = [:]
        while let interval = self?.meterInterval {
          guard (try? await Task.sleep(for: interval)) != nil else { return }
          let snapshot = await status(since)
          since = snapshot.sampleTime
          guard !Task.isCancelled, let self else { return }
          let readings = shownReadings.filter {
            sent.updateValue($0.value, forKey: $0.parameter) != $0.value
          }
          for subscription in subscriptions where subscription.meterInterval != nil {
            if !readings.isEmpty { subscription.receive(ValuesChanged(readings), from: nil) }
            subscription.receive(RackMeters(snapshot), from: nil)
          }
        }
      }
    }
  }

  /// The present values of the read-only parameters.
  private var shownReadings: [ParameterReading] {
    let (shown, revision) = state.withLock { ($0.shown, $0.revision) }
    return shown.compactMap { unit, path, parameter in
      unit.parameterValue(parameter.address).map {
        ParameterReading(path, value: $0, info: parameter.info, revision: revision)
      }
    }
  }

  /// The shortest interval of the subscribers; nil if there are none with meters.
  private var meterInterval: Duration? {
    state.withLock { $0.subscriptions.compactMap(\.meterInterval).min() }
  }
}

extension EventFeed.State {
  /// Removes an expected value and returns the peer that has set it; nil for MIDI, lanes and the program.
  fileprivate mutating func popOriginator(of parameter: String, value: Float) -> Peer? {
    guard let expected = expected[parameter] else { return nil }
    let index = expected.firstIndex { $0.value == value }
    // Several sets may be reported as one, with the last value.
    let rest = index.map { Array(expected[($0 + 1)...]) } ?? []
    self.expected[parameter] = rest.isEmpty ? nil : rest
    return index.map { expected[$0].originator }
  }
}
