import AsyncSupport
import AudioUnits
import RackEngine
import RackModel

/// What has changed since somebody last asked.
public struct RackChange: Sendable {
  /// Of each parameter the last, in no order.
  public var readings: [ParameterReading] = []
  /// The rack's name, where other units or cables play now.
  public var rack: String?
  /// Of each that something was to be mapped to the last, in their order.
  public var learnings: [Learning] = []
}

/// How far it has got that something of MIDI is to be mapped.
public struct Learning: Sendable, Codable, Equatable {
  /// What is to be moved: `echo.mix`.
  public var to: String
  /// What was done: `map keys cc 7 channel 1 to echo.mix`; nil for as long as it listens.
  public var done: String?
  /// Why nothing came of it.
  public var error: String?
}

/// The changes of a session's rack, for one `for await`.
///
/// What waits is never more than the last value of each parameter. Ends when its task is cancelled.
public struct RackChanges: AsyncSequence, Sendable {
  private let feed: ChangeFeed
  private let feeds: ChangeFeeds

  init(_ feeds: ChangeFeeds) {
    self.feeds = feeds
    feed = feeds.open()
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(ending: Ending(feed: feed, feeds: feeds), bells: feed.bells.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let ending: Ending
    fileprivate var bells: AsyncStream<Void>.Iterator

    public mutating func next() async -> RackChange? {
      while await bells.next() != nil {
        if let change = ending.feed.take() { return change }
      }
      return nil
    }
  }

  /// Closes the feed once nobody asks any more.
  fileprivate final class Ending: Sendable {
    let feed: ChangeFeed
    private let feeds: ChangeFeeds

    init(feed: ChangeFeed, feeds: ChangeFeeds) {
      (self.feed, self.feeds) = (feed, feeds)
    }

    deinit { feeds.close(feed) }
  }
}

extension RackSession {
  /// Everything that changes from now on, whoever changes it.
  public nonisolated func changes() -> RackChanges { RackChanges(feeds) }

  /// Another number whenever anything has changed that could be saved.
  public nonisolated var changeCount: Int { feeds.count }

  /// Another number whenever other units, cables or presets play.
  package nonisolated var structureGeneration: Int { feeds.structureGeneration }
}

extension Learning: CustomStringConvertible {
  public var description: String { done ?? "\(to): \(error ?? "listening")" }
}

/// What one reader has not asked for yet.
final class ChangeFeed: Sendable {
  private struct State: Sendable {
    var readings: [String: ParameterReading] = [:]
    var rack: String?
    var learnings: [Learning] = []
  }

  let bells: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let state = Guarded(State())

  init() {
    (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func note(_ reading: ParameterReading) {
    state.withLock { $0.readings[reading.parameter] = reading }
    bell.yield()
  }

  /// Another structure: what was said of parameters may be of units that are gone.
  func note(rack: String) {
    state.withLock { state in
      state.rack = rack
      state.readings = [:]
    }
    bell.yield()
  }

  func note(_ learning: Learning) {
    state.withLock { state in
      state.learnings.removeAll { $0.to == learning.to }
      state.learnings.append(learning)
    }
    bell.yield()
  }

  /// Nil where there is nothing.
  func take() -> RackChange? {
    state.withLock { state in
      guard state.rack != nil || !state.learnings.isEmpty || !state.readings.isEmpty else {
        return nil
      }
      defer { state = State() }
      return RackChange(
        readings: Array(state.readings.values), rack: state.rack, learnings: state.learnings)
    }
  }
}

/// Everybody who is told of changes, and the units that they are heard from.
final class ChangeFeeds: Sendable {
  private struct State: Sendable {
    var feeds: [ChangeFeed] = []
    var structureGeneration = 0
    var count = 0
    var observed: [(tree: ParameterTree, token: ParameterObserverToken)] = []
  }

  private let state = Guarded(State())

  func open() -> ChangeFeed {
    let feed = ChangeFeed()
    state.withLock { $0.feeds.append(feed) }
    return feed
  }

  func close(_ feed: ChangeFeed) { state.withLock { $0.feeds.removeAll { $0 === feed } } }

  func note(_ reading: ParameterReading) {
    state.withLock { $0.count += 1 }
    for feed in feeds { feed.note(reading) }
  }

  func note(_ learning: Learning) { for feed in feeds { feed.note(learning) } }

  func note(rack: String) {
    state.withLock { state in
      state.structureGeneration += 1
      state.count += 1
    }
    for feed in feeds { feed.note(rack: rack) }
  }

  /// Counts the values and the racks that there have been.
  var count: Int { state.withLock { $0.count } }

  /// Counts the racks that there have been.
  var structureGeneration: Int { state.withLock { $0.structureGeneration } }

  private var feeds: [ChangeFeed] { state.withLock { $0.feeds } }

  /// Listens to these units and no others from now on.
  func observe(_ units: [NamedUnit]) {
    let observed = units.map { unit in
      let tree = unit.audioUnit.parameterTree
      let token = tree.token(byAddingParameterObserver: { [weak self, name = unit.name] in
        let path = ParameterPath(unit: name, keyPath: $0.keyPath)
        self?.note(ParameterReading(path, value: $1, info: $0.info))
      })
      return (tree: tree, token: token)
    }
    let before = state.withLock { state in
      defer { state.observed = observed }
      return state.observed
    }
    for (tree, token) in before { tree.removeParameterObserver(token) }
  }
}
