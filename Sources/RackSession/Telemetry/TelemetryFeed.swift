import AudioUnits
import Documents
import RackEngine

/// The reader of watched signals, 30 times a second: each signal is read once for all its subscribers.
actor TelemetryFeed {
  /// The largest number of inputs and outputs whose sound is watched at one time.
  static let maximumSounds = 8
  private static let interval = Duration.milliseconds(33)

  private let feed: EventFeed
  private let catalogue: ComponentCatalogue
  private var watched: [Source: Watch] = [:]
  private var ticker: Task<Void, Never>?

  /// A watched place of a unit, by the unit's identity, as another unit may get its name.
  private struct Source: Hashable {
    var unit: ObjectIdentifier
    var place: WatchedPlace
  }

  private struct Watch {
    let audioUnit: AudioUnit
    var scope: ScopeAnalyser?
    var spectrum: SpectrumAnalyser?
    var tuner: TunerAnalyser?
  }

  init(_ feed: EventFeed, catalogue: ComponentCatalogue) {
    (self.feed, self.catalogue) = (feed, catalogue)
  }

  deinit { ticker?.cancel() }

  /// Starts to read signals, until no subscriber watches any.
  func start() {
    guard ticker == nil else { return }
    ticker = Task { [weak self] in
      while await self?.tick() == true { try? await Task.sleep(for: Self.interval) }
    }
  }

  /// Reads and sends the watched signals once; returns false if no subscriber watches any.
  private func tick() -> Bool {
    let signals = feed.watchedSignals
    let present = signals.compactMap { signal in
      feed.units.first { $0.name == signal.unit }.flatMap { unit in
        signal.place(in: unit.audioUnit.facts).map { (signal, unit.audioUnit, $0) }
      }
    }
    let bySource = Dictionary(grouping: present) {
      Source(unit: ObjectIdentifier($0.1), place: $0.2)
    }
    follow(bySource.mapValues { $0[0].1 })
    for (source, entries) in bySource {
      let subjects = entries.map(\.0)
      let readings = read(source, subjects)
      if !readings.isEmpty { feed.post(TelemetryRead(readings)) }
    }
    if signals.isEmpty { ticker = nil }
    return !signals.isEmpty
  }

  /// Sets the places at which units are watched.
  private func follow(_ wanted: [Source: AudioUnit]) {
    guard Set(wanted.keys) != Set(watched.keys) else { return }
    let before = watched.mapValues(\.audioUnit)
    for (source, audioUnit) in before.merging(wanted, uniquingKeysWith: { $1 }) {
      let places = wanted.keys.filter { $0.unit == source.unit }.map(\.place)
      try? audioUnit.watch(Set(places))
    }
    watched = wanted.reduce(into: [:]) { kept, entry in
      kept[entry.key] = watched[entry.key] ?? Watch(audioUnit: entry.value)
      // Discards the sound of an earlier watch.
      if watched[entry.key] == nil { _ = entry.value.readWatchedSound(entry.key.place) }
    }
  }

  private func read(
    _ source: Source, _ signals: [WatchedSignal]
  ) -> [TelemetryReading] {
    guard let audioUnit = watched[source]?.audioUnit else { return [] }
    if case .telemetry(let index) = source.place {
      guard let values = audioUnit.readTelemetry(index) else { return [] }
      let reading = TelemetryReading.Values.array(values.map(\.withFourDigits))
      return signals.map { TelemetryReading($0, reading) }
    }
    let sound = audioUnit.readWatchedSound(source.place)
    guard !sound.isEmpty else { return [] }
    return signals.compactMap { signal in
      guard case .sound(_, let analysis) = signal.subject else { return nil }
      return analyse(sound, of: source, analysis).map { TelemetryReading(signal, $0) }
    }
  }

  private func analyse(
    _ sound: [SIMD2<Float>], of source: Source, _ analysis: WatchedSignal.SoundAnalysis
  ) -> TelemetryReading.Values? {
    guard var watch = watched[source] else { return nil }
    defer { watched[source] = watch }
    let rate = watch.audioUnit.sampleRate
    switch analysis {
    case .scope:
      var scope = watch.scope ?? ScopeAnalyser(sampleRate: rate)
      defer { watch.scope = scope }
      return scope.add(sound).map { .scope($0) }
    case .spectrum:
      watch.spectrum = watch.spectrum ?? SpectrumAnalyser(sampleRate: rate)
      return watch.spectrum.map { .spectrum($0.add(sound)) }
    case .tuner:
      watch.tuner = watch.tuner ?? TunerAnalyser(sampleRate: rate, catalogue: catalogue)
      return watch.tuner.map { .tuner($0.add(sound)) }
    }
  }
}

extension RackSession {
  /// Sets the signals that the subscriptions of a peer watch.
  ///
  /// - Throws: `Refusal` if a signal does not exist, the peer has not subscribed, or too many inputs and outputs are
  ///   watched.
  package func watch(_ texts: [String], for peer: Peer) throws {
    let units = feed.units
    let texts = texts.names(among: units.map(\.name), separator: " ")
    let signals = Set(try texts.map { try WatchedSignal($0, in: units) })
    try feed.watch(signals, for: peer)
    Task { await telemetry.start() }
  }

  /// Sends a message of a unit's view over a message channel of the unit; returns the unit's reply.
  ///
  /// - Throws: `Refusal` if there is no such unit; `AudioUnitError` with the unit's reason.
  package func send(message: String, channel: String, to name: String) async throws -> String {
    guard let unit = unit(named: name) else {
      throw Refusal(
        "there is no unit “\(name)”",
        suggestion: nearestWord(to: name, in: feed.units.map(\.name)))
    }
    return try await unit.perform { unit throws(AudioUnitError) in
      try unit.send(message: message, channel: channel)
    }
  }
}
