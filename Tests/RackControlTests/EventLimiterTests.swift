import BacklineTestSupport
import RackEngine
import Synchronization
import Testing

@testable import RackControl

@Suite struct EventLimiterTests {
  /// The flood is like that of MIDI through a control that recalls scenes.
  @Test func aFloodOfScenesIsCounted() async throws {
    let reported = Mutex<[String]>([])
    let limiter = EventLimiter { text in reported.withLock { $0.append(text) } }
    var shown = 0
    for number in 0..<5000 where limiter.admits(.scene("\(number)")) { shown += 1 }
    #expect(shown >= 40 && shown < 1000)
    #expect(
      limiter.admits(.playing(rack: "Test")) && limiter.admits(.connected(port: "a", to: "b")))
    try await eventually("the rest is counted") {
      reported.withLock {
        $0.contains("scenes: \(5000 - shown) more in the last second, not shown")
      }
    }
    #expect(limiter.admits(.scene("later")))
  }
}
