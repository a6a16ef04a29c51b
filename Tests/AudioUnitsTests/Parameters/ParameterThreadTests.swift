import AudioUnits
import Dispatch
import Foundation
import Synchronization
import Testing
import UnitModel

/// Four threads set parameters and change observers at the same time.
@Suite(.timeLimit(.minutes(10))) struct ParameterThreadTests {
  private static let threadCount = 4
  private static let parameterCount = 8
  private static let rounds = 2000

  /// Records the calls of an observer, for each parameter.
  private final class Witness: Sendable {
    private struct Call {
      var last: Float = -1
      var count = 0
      var isUnderWay = false
      var overlapped = false
    }

    // Guarded by `lock`, which ThreadSanitizer knows, unlike Mutex.
    nonisolated(unsafe) private var calls: [Parameter: Call] = [:]
    private let lock = NSLock()

    func enter(_ parameter: Parameter, _ value: Float) {
      lock.withLock {
        var call = calls[parameter, default: Call()]
        call.overlapped = call.overlapped || call.isUnderWay
        call.isUnderWay = true
        call.last = value
        call.count += 1
        calls[parameter] = call
      }
    }

    func leave(_ parameter: Parameter) {
      lock.withLock { calls[parameter]?.isUnderWay = false }
    }

    func last(_ parameter: Parameter) -> Float? { lock.withLock { calls[parameter]?.last } }
    func count(_ parameter: Parameter) -> Int { lock.withLock { calls[parameter]?.count ?? 0 } }
    var anyOverlapped: Bool { lock.withLock { calls.values.contains { $0.overlapped } } }
  }

  @Test func theLastValueArrivesAndCallsDoNotOverlap() async throws {
    let tree = try TestTrees.flat(Self.parameterCount + 1, maximum: 1e9)
    let parameters = Array(tree.allParameters.prefix(Self.parameterCount))
    let end = tree.allParameters[Self.parameterCount]
    let (implementor, observer) = (Witness(), Witness())
    let recordedCount = Atomic(0)
    tree.implementorValueObserver = { parameter, value in
      implementor.enter(parameter, value)
      implementor.leave(parameter)
    }
    _ = tree.token(byAddingParameterObserver: { parameter, value in
      observer.enter(parameter, value)
      observer.leave(parameter)
    })
    _ = tree.token(byAddingParameterRecordingObserver: { events in
      recordedCount.add(events.count, ordering: .relaxed)
    })
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
          Self.fire(at: parameters, of: tree, from: thread)
        }
        done.resume()
      }
    }
    // Values are delivered in order of change, so nothing comes after this one; events may.
    let changes = end.changes()
    let events = end.automationEvents()
    end.value = 1
    for await _ in changes { break }
    for await _ in events { break }

    for parameter in parameters {
      #expect(implementor.last(parameter) == parameter.value)
      #expect(observer.last(parameter) == parameter.value)
      #expect(observer.count(parameter) <= Self.threadCount * Self.rounds)
    }
    #expect(!implementor.anyOverlapped && !observer.anyOverlapped)
    let setCount = Self.threadCount * Self.rounds * Self.parameterCount + 1
    #expect(recordedCount.load(ordering: .relaxed) == setCount)
  }

  /// Sets and reads the parameters, and adds and removes observers and a value provider.
  private static func fire(at parameters: [Parameter], of tree: ParameterTree, from thread: Int) {
    for round in 0..<rounds {
      let token = parameters[round % parameterCount].token(byAddingParameterObserver: { _, _ in })
      for parameter in parameters {
        parameter.setValue(Float(round * threadCount + thread), originator: token)
        _ = parameter.value
      }
      tree.removeParameterObserver(token)
      if round % 100 == 0 {
        parameters[thread].implementorValueProvider = { _ in 0 }
        _ = parameters[thread].value
        parameters[thread].implementorValueProvider = nil
      }
    }
  }
}
