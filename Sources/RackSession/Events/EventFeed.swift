import AsyncSupport
import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

/// Passes the events of a rack on to every subscriber, but values not to the peer that has set them.
final class EventFeed: Sendable {
  fileprivate struct State: Sendable {
    var subscriptions: [EventSubscription] = []
    var structureGeneration = 0
    var revision = 0
    var units: [NamedUnit] = []
    var observed: [(tree: ParameterTree, token: ParameterObserverToken)] = []
    /// The parameters that can be read, but not set.
    var shown: [(unit: AudioUnit, path: ParameterPath, parameter: ParameterReference)] = []
    /// Values that peers have set and that the units have not reported yet, by parameter.
    var expected: [String: [(value: Float, originator: Peer)]] = [:]
    var ticker: Task<Void, Never>?
  }

  private let state = Guarded(State())
  /// Expected values of one parameter; more than a hand sets before they are reported.
  private static let mostExpected = 64

  deinit { state.withLock { $0.ticker?.cancel() } }

  func subscribe(_ peer: Peer?, meters rate: Double?) -> EventSubscription {
    let subscription = EventSubscription(peer, meters: rate)
    state.withLock { $0.subscriptions.append(subscription) }
    return subscription
  }

  func cancel(_ subscription: EventSubscription) {
    state.withLock { $0.subscriptions.removeAll { $0 === subscription } }
  }

  /// A peer is about to set a parameter: the change that is reported next with this value is its own.
  func expect(_ value: Float, of path: ParameterPath, by originator: Peer) {
    state.withLock { state in
      state.expected[path.description, default: []].append((value, originator))
      if state.expected[path.description, default: []].count > Self.mostExpected {
        state.expected[path.description]?.removeFirst()
      }
    }
  }

  /// Something has happened.
  func post(_ event: any RackEvent) { post(event, from: nil) }

  private func post(_ event: any RackEvent, from originator: Peer?) {
    for subscription in subscriptions { subscription.receive(event, from: originator) }
  }

  /// A parameter has changed.
  func postValue(
    _ value: Float, of path: ParameterPath, _ info: ParameterInfo, text: String? = nil
  ) {
    let (revision, originator) = state.withLock { state in
      state.revision += 1
      return (state.revision, state.takeOriginator(of: path.description, value: value))
    }
    let reading = ParameterReading(path, value: value, info: info, text: text, revision: revision)
    post(ValuesChanged([reading]), from: originator)
  }

  /// Other units, cables or presets play.
  func postReplacement(by rack: String) {
    state.withLock { state in
      state.structureGeneration += 1
      state.revision += 1
      state.expected = [:]
    }
    post(RackReplaced(rack))
  }

  /// The session's state may be another now.
  func sessionMayHaveChanged() {
    for subscription in subscriptions { subscription.sessionMayHaveChanged() }
  }

  /// Everything that a subscriber watches.
  var watchedSignals: Set<WatchedSignal> {
    subscriptions.reduce(into: []) { $0.formUnion($1.watched) }
  }

  /// The subscriptions of a peer watch these signals from now on, and no others.
  ///
  /// - Throws: `Refusal` if it has none, or the sound of too many places is watched.
  func watch(_ signals: Set<WatchedSignal>, for peer: Peer) throws(Refusal) {
    let own = subscriptions.filter { $0.peer == peer }
    guard !own.isEmpty else { throw Refusal("only a peer that has subscribed can watch") }
    let others = subscriptions.filter { $0.peer != peer }
    let all = others.reduce(into: signals) { $0.formUnion($1.watched) }
    guard Set(all.compactMap(\.sound)).count <= TelemetryFeed.mostSounds else {
      throw Refusal(
        "\(TelemetryFeed.mostSounds) inputs and outputs are watched already; close another view")
    }
    for subscription in own { subscription.watch(signals) }
  }

  private var subscriptions: [EventSubscription] { state.withLock(\.subscriptions) }

  var revision: Int { state.withLock(\.revision) }
  var structureGeneration: Int { state.withLock(\.structureGeneration) }

  /// The units that play now.
  var units: [NamedUnit] { state.withLock(\.units) }

  /// Follows these units and no others from now on.
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

  /// Asks for the meters as often as the fastest subscriber wants them, for all who do, until none is
  /// left. Changes of parameters that can be read, but not set, such as a gain reduction, come with them.
  func startMeters(_ status: @escaping @Sendable (_ since: Int64?) async -> EngineSnapshot) {
    state.withLock { state in
      // Starts anew: the newest subscriber may be the fastest.
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

  /// The present values of the parameters that can be read, but not set.
  private var shownReadings: [ParameterReading] {
    let (shown, revision) = state.withLock { ($0.shown, $0.revision) }
    return shown.compactMap { unit, path, parameter in
      unit.parameterValue(parameter.address).map {
        ParameterReading(path, value: $0, info: parameter.info, revision: revision)
      }
    }
  }

  /// The shortest interval of a subscriber; nil if nobody wants meters.
  private var meterInterval: Duration? {
    state.withLock { $0.subscriptions.compactMap(\.meterInterval).min() }
  }
}

extension EventFeed.State {
  /// Who has set a parameter to a value that is reported now; nil for MIDI, lanes and the program.
  fileprivate mutating func takeOriginator(of parameter: String, value: Float) -> Peer? {
    guard let expected = expected[parameter] else { return nil }
    let place = expected.firstIndex { $0.value == value }
    // Several sets may be reported as one, by the last.
    let rest = place.map { Array(expected[($0 + 1)...]) } ?? []
    self.expected[parameter] = rest.isEmpty ? nil : rest
    return place.map { expected[$0].originator }
  }
}
