import RackModel
import Testing
import UnitModel

@testable import RackEngine
@testable import RackSession

/// The events that a slow reader finds when it reads at last.
@Suite struct PendingEventsTests {
  private func values(_ values: KeyValuePairs<String, Float>) throws -> ValuesChanged {
    ValuesChanged(
      try values.map { parameter, value in
        ParameterReading(
          try ParameterPath(parameter), value: value, info: .bypass, text: nil, revision: 1)
      })
  }

  private func meters(_ peaks: KeyValuePairs<String, Float>) -> RackMeters {
    var snapshot = EngineSnapshot(
      rack: "Test", clientName: "test", sampleRate: 48_000, bufferSize: 64)
    snapshot.outputs = peaks.map { .init(name: $0, peak: $1, rms: $1 / 2) }
    return RackMeters(snapshot)
  }

  @Test func theRackComesBeforeItsValues() throws {
    var events = PendingEvents()
    events.add(meters(["main_1": 1]))
    events.add(try values(["old.mix": 1]))
    events.add(RackReplaced("New"))
    events.add(try values(["new.mix": 0]))
    events.add(Learning(to: "new.mix"))
    let read = events.pop { _ in false }
    #expect(
      read.map { type(of: $0).name } == ["rack", "learning", "values", "meters"])
    // Values of units that are gone are not sent.
    #expect((read[2] as? ValuesChanged)?.readings.map(\.parameter) == ["new.mix"])
    #expect(events.pop { _ in false }.isEmpty)
  }

  @Test func theLastValueOfEachParameterIsKept() throws {
    var events = PendingEvents()
    events.add(try values(["echo.mix": 0, "echo.bypass": 1]))
    events.add(try values(["echo.mix": 1]))
    let read = events.pop { _ in false }.compactMap { $0 as? ValuesChanged }
    #expect(read.count == 1)
    #expect(read[0].readings.map(\.parameter) == ["echo.bypass", "echo.mix"])
    #expect(read[0].readings.map(\.value) == [1, 1])
  }

  @Test func eachLearningIsAnEventOfItsOwn() {
    var events = PendingEvents()
    events.add(Learning(to: "echo.mix"))
    events.add(Learning(to: "room.mix"))
    events.add(Learning(to: "echo.mix", done: "echo.mix follows keys cc 7"))
    let read = events.pop { _ in false }.compactMap { $0 as? Learning }
    #expect(read.map(\.to) == ["room.mix", "echo.mix"])
    #expect(read.map { $0.done == nil } == [true, false])
  }

  /// The highest peak counts until somebody reads it; the newest level does.
  @Test func metersThatWaitKeepTheirHighestPeak() throws {
    var events = PendingEvents()
    events.add(meters(["main_1": 0.9, "main_2": 0.1]))
    events.add(meters(["main_1": 0.2, "main_2": 0.4]))
    events.add(try values(["echo.mix": 1]))
    #expect(events.pop { $0 is RackMeters }.count == 1)
    let read = try #require(events.pop { _ in false }.first as? RackMeters)
    #expect(read.outputs.map(\.peak) == [0.9, 0.4])
    #expect(read.outputs.map(\.rms) == [0.1, 0.2])
  }
}
