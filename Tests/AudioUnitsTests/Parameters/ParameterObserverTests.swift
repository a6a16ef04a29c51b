import AudioUnits
import Dispatch
import Glibc
import Synchronization
import Testing
import UnitModel

/// Observers are notified of changes, except of those that they originated.
@Suite(.timeLimit(.minutes(10))) struct ParameterObserverTests {
  /// Observers receive the readings of a meter, which only the unit sets.
  @Test func observersHearMeters() async throws {
    var rig = try await UnitRig("aufx/cmpr/bkln")
    let meter = try #require(rig.unit.parameterTree.parameter(atKeyPath: "gain_reduction"))
    let (readings, continuation) = AsyncStream.makeStream(of: Float.self)
    let token = meter.token(byAddingParameterObserver: { continuation.yield($1) })
    let loud = [[Float]](repeating: (0..<48_000).map { sin(Float($0) / 7) }, count: 2)
    _ = try rig.render([loud], frames: 48_000)
    var told = readings.makeAsyncIterator()
    #expect(try #require(await told.next()) > 1)
    meter.tree.removeParameterObserver(token)
    #expect(rig.unit.parameterValue(meter.address) == meter.value)
  }

  /// The values that observers received, as an endless sequence.
  private struct Inbox {
    private let continuation: AsyncStream<String>.Continuation
    private var iterator: AsyncStream<String>.Iterator

    init() {
      let (stream, continuation) = AsyncStream<String>.makeStream()
      self.continuation = continuation
      iterator = stream.makeAsyncIterator()
    }

    func observer(_ name: String = "") -> ParameterObserver {
      { [continuation] parameter, value in
        continuation.yield("\(name)\(parameter.keyPath) \(value)")
      }
    }

    mutating func next() async -> String? { await iterator.next() }
  }

  @Test func observersHearOfWhatLiesBelowThem() async throws {
    let tree = try TestTrees.synthesizer()
    let filter = try #require(tree.node(atKeyPath: "filter"))
    let attack = try #require(tree.parameter(atKeyPath: "filter.envelope.attack"))
    var inbox = Inbox()
    _ = tree.token(byAddingParameterObserver: inbox.observer("tree "))
    _ = filter.token(byAddingParameterObserver: inbox.observer("filter "))
    _ = attack.token(byAddingParameterObserver: inbox.observer("attack "))
    attack.value = 2
    #expect(await inbox.next() == "attack filter.envelope.attack 2.0")
    #expect(await inbox.next() == "filter filter.envelope.attack 2.0")
    #expect(await inbox.next() == "tree filter.envelope.attack 2.0")
    tree.parameter(atKeyPath: "level")?.value = 1
    #expect(await inbox.next() == "tree level 1.0")
  }

  @Test func theOriginatorHearsNoEcho() async throws {
    let tree = try TestTrees.flat(2)
    let (first, second) = (tree.allParameters[0], tree.allParameters[1])
    var own = Inbox()
    var other = Inbox()
    let token = tree.token(byAddingParameterObserver: own.observer())
    _ = tree.token(byAddingParameterObserver: other.observer())
    first.setValue(0.5, originator: token)
    second.setValue(0.25)
    #expect(await other.next() == "p0 0.5")
    #expect(await other.next() == "p1 0.25")
    #expect(await own.next() == "p1 0.25")
  }

  @Test func whoIsRemovedHearsNoMore() async throws {
    let tree = try TestTrees.flat(1)
    let parameter = tree.allParameters[0]
    var inbox = Inbox()
    let removed = tree.token(byAddingParameterObserver: inbox.observer("removed "))
    _ = tree.token(byAddingParameterObserver: inbox.observer("kept "))
    parameter.removeParameterObserver(removed)
    parameter.value = 1
    #expect(await inbox.next() == "kept p0 1.0")
    tree.removeParameterObserver(removed)
    parameter.value = 0
    #expect(await inbox.next() == "kept p0 0.0")
  }

  @Test func observersMaySetAndRemove() async throws {
    let tree = try TestTrees.flat(2)
    let (first, second) = (tree.allParameters[0], tree.allParameters[1])
    var inbox = Inbox()
    let token = Mutex<ParameterObserverToken?>(nil)
    let added = first.token(byAddingParameterObserver: { parameter, value in
      second.value = value
      token.withLock { $0 }.map { parameter.removeParameterObserver($0) }
    })
    token.withLock { $0 = added }
    _ = second.token(byAddingParameterObserver: inbox.observer())
    first.value = 0.5
    #expect(await inbox.next() == "p1 0.5")
    first.value = 0.75
    second.value = 0.25
    #expect(await inbox.next() == "p1 0.25")
  }

  /// An observer that was busy during many changes is called once more, with the last value.
  @Test func aStormCostsOneCallAParameter() async throws {
    let tree = try TestTrees.flat(3, maximum: 100_000)
    let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let parameters = tree.allParameters
    _ = tree.token(byAddingParameterObserver: { parameter, value in
      if parameter == parameters[0], value == 1 {
        isBusy.signal()
        mayGoOn.wait()
      }
      continuation.yield("\(parameter.keyPath) \(value)")
      if parameter == parameters[2] { continuation.finish() }
    })
    parameters[0].value = 1
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        isBusy.wait()
        done.resume()
      }
    }
    for value in 2...10_000 {
      parameters[0].value = Float(value)
      parameters[1].value = Float(value)
    }
    parameters[2].value = 1
    mayGoOn.signal()
    var calls: [String] = []
    for await call in stream { calls.append(call) }
    #expect(calls == ["p0 1.0", "p0 10000.0", "p1 10000.0", "p2 1.0"])
  }

  @Test func recordingsLoseNothing() async throws {
    let tree = try TestTrees.flat(2, maximum: 1000)
    let (stream, continuation) = AsyncStream<RecordedParameterEvent>.makeStream()
    let (first, second) = (tree.allParameters[0], tree.allParameters[1])
    let token = first.token(byAddingParameterRecordingObserver: { events in
      for event in events { continuation.yield(event) }
    })
    let start = DispatchTime.now().uptimeNanoseconds
    for value in 1...1000 {
      first.setValue(Float(value), atHostTime: UInt64(value))
      second.value = Float(value)
      first.setValue(0, originator: token)
    }
    first.value = 7
    let events = await stream.prefix(1001).reduce(into: []) { $0.append($1) }
    #expect(events.allSatisfy { $0.address == first.address })
    #expect(events.prefix(1000).map(\.value).elementsEqual((1...1000).map(Float.init)))
    #expect(events.prefix(1000).map(\.hostTime).elementsEqual(1...1000))
    #expect(events[1000].value == 7)
    #expect((start...DispatchTime.now().uptimeNanoseconds).contains(events[1000].hostTime))
  }

  @Test func automationKnowsTouchAndRelease() async throws {
    let tree = try TestTrees.flat(1)
    let parameter = tree.allParameters[0]
    let events = tree.automationEvents()
    parameter.setValue(0, atHostTime: 10, eventType: .touch)
    parameter.setValue(0.5, atHostTime: 11, eventType: .value)
    parameter.setValue(1, atHostTime: 12, eventType: .release)
    let heard = await events.prefix(3).reduce(into: []) { $0.append($1) }
    #expect(heard.map(\.hostTime) == [10, 11, 12])
    #expect(heard.map(\.value) == [0, 0.5, 1])
    #expect(heard.map(\.eventType) == [.touch, .value, .release])
    #expect(parameter.value == 1)
  }

  @Test func changesCanBeAwaited() async throws {
    let tree = try TestTrees.flat(2)
    let (first, second) = (tree.allParameters[0], tree.allParameters[1])
    let changes = tree.changes()
    first.setValue(0.25, originator: changes.token)
    second.value = 0.5
    var iterator = changes.makeAsyncIterator()
    let change = await iterator.next()
    #expect(change?.parameter == second && change?.value == 0.5)
    let waiting = Task { () -> Bool in
      for await _ in tree.changes() {}
      return true
    }
    waiting.cancel()
    #expect(await waiting.value)
  }

  @Test func aTreeThatNobodyHoldsGoesAway() async throws {
    weak var gone: ParameterTree?
    do {
      let tree = try TestTrees.flat(2)
      gone = tree
      let changes = tree.changes()
      let events = tree.automationEvents()
      tree.allParameters[1].value = 0.5
      for await change in changes {
        #expect(change.value == 0.5)
        break
      }
      for await event in events {
        #expect(event.value == 0.5)
        break
      }
    }
    // The delivery queue releases the tree soon after its last call.
    while gone != nil { await Task.yield() }
  }
}
