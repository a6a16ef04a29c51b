import AsyncSupport
import AudioUnits
import CBenchmarks
import Glibc
import UnitModel

/// The cost of rendering units in other processes, beside two processes that only wake each other.
enum ProcessBenchmark {
  private static let cycles = Measurement.amount(5000, short: 100)
  private static let rounds = Measurement.amount(3, short: 1)
  /// The priority of the thread that renders; that of the processes is one lower.
  private static let priority = 60
  private static let processor = 0
  /// The period of 64 frames at 48 kHz, nanoseconds.
  private static let period = 1_333_333

  struct NotStarted: Error, CustomStringConvertible { var description: String }

  /// The times of cycles, sorted, microseconds.
  private struct Times {
    var all: [Double] = []
    var missing = 0
    func at(_ share: Double) -> Double { all[Int(Double(all.count - 1) * share)] }
    var remark: String {
      let lost = missing > 0 ? "; \(missing) not answered in time" : ""
      return "most \(Table.number(all.last))\(lost)"
    }
  }

  static func run() throws {
    let result = Guarded<Result<Void, any Error>?>(nil)
    // The measurement has its own thread, which keeps the processor and priority.
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work { result.withLock { $0 = Result { try measure() } } })
    let failure = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    guard failure == 0 else { throw NotStarted(description: "there can be no thread") }
    pthread_join(thread, nil)
    try result.withLock { $0 }?.get()
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func measure() throws {
    let theirs = priority - 1
    let one = try units([.own], priority: theirs)
    let group = try units(Array(repeating: .group("benchmark"), count: 8), priority: theirs)
    let all = try units(Array(repeating: .own, count: 16), priority: theirs)
    connect(group)
    connect(all)
    AudioUnit.endLongWaits(priority: priority, exceptProcessor: processor)
    // The priority is set last, since new threads and processes would inherit it.
    let isRealtime = bl_process_take_processor(Int32(processor), Int32(priority))
    var trips = Table(
      title: "A gain of two channels in a process of its own, same processor", unit: "µs a cycle",
      reference: "futex")
    for frames in [32, 64, 128] {
      let (ours, floor) = try turns(
        { try time(one, BL_ORDER_IN_TURN, frames: frames) }, { try pingPong(theirs) })
      for (name, share, aim) in [("p50", 0.5, 1.3), ("p99", 0.99, 1.5)] {
        trips.rows.append(
          .init(
            "\(frames) frames, \(name)", ours: ours.at(share), reference: floor.at(share), aim: aim,
            remark: share == 0.5 ? ours.remark : "futex: most \(Table.number(floor.all.last))"))
      }
    }
    try trips.show()
    try measureRows(one, group, all)
    if !isRealtime { print("  Without real-time permission: nothing above is worth much.") }
  }

  private static func measureRows(
    _ one: [AudioUnit], _ group: [AudioUnit], _ all: [AudioUnit]
  ) throws {
    var rows = Table(
      title: "Several of them, 64 frames, p50", unit: "µs a cycle", reference: "beside")
    let (eight, single) = try turns(
      { try time(group, BL_ORDER_HANDED_ON) }, { try time(one, BL_ORDER_IN_TURN) })
    rows.rows.append(
      .init(
        "8 in one process; 1", ours: eight.at(0.5), reference: single.at(0.5), aim: 1.5,
        remark: eight.remark))
    let four = Array(all.prefix(4))
    let (handed, middle) = try turns(
      { try time(four, BL_ORDER_HANDED_ON) }, { try time(four, BL_ORDER_IN_TURN) })
    rows.rows.append(
      .init(
        "4 handing on; by the host", ours: handed.at(0.5), reference: middle.at(0.5), aim: 0.8,
        remark: handed.remark))
    for count in [1, 4, 16] {
      let some = Array(all.prefix(count))
      let (series, parallel) = try turns(
        { try time(some, BL_ORDER_HANDED_ON) }, { try time(some, BL_ORDER_SIDE_BY_SIDE) })
      rows.rows.append(
        .init(
          "\(count) in series; side by side", ours: series.at(0.5), reference: parallel.at(0.5),
          remark: series.remark))
    }
    try rows.show()
  }

  private static func turns(
    _ first: () throws -> Times, _ second: () throws -> Times
  ) throws -> (Times, Times) {
    var sums = (Times(), Times())
    for _ in 0..<rounds {
      let (one, other) = (try first(), try second())
      sums.0.all += one.all
      sums.0.missing += one.missing
      sums.1.all += other.all
      sums.1.missing += other.missing
    }
    sums.0.all.sort()
    sums.1.all.sort()
    return sums
  }

  private static func time(
    _ units: [AudioUnit], _ order: bl_process_order, frames: Int = 64
  ) throws -> Times {
    let list = units.map { bl_process_unit(descriptor: $0.descriptor, unit: $0.instance) }
    var times = [Double](repeating: 0, count: cycles)
    let missing = bl_loop_processes(
      list, UInt32(list.count), order, UInt32(frames), UInt32(cycles), &times)
    return Times(all: times, missing: Int(missing))
  }

  private static func pingPong(_ priority: Int) throws -> Times {
    var times = [Double](repeating: 0, count: cycles)
    guard bl_floor_ping_pong(Int32(priority), UInt32(cycles), &times) else {
      throw NotStarted(description: "there can be no other process")
    }
    return Times(all: times)
  }

  private static func units(_ choices: [ProcessChoice], priority: Int) throws -> [AudioUnit] {
    guard let gain = ComponentDescription("aufx/gain/bkln"),
      let component = ComponentCatalogue().components(matching: gain).first
    else { throw NotStarted(description: "there is no gain unit") }
    let units = try choices.map { try AudioUnit(component, process: $0) }
    for unit in units {
      try unit.allocateRenderResources()
      unit.setRenderTimeout(period / 2, period: period)
      unit.schedule(ProcessScheduling(priority: priority, processor: processor))
    }
    usleep(100_000)
    return units
  }

  private static func connect(_ units: [AudioUnit]) {
    for (unit, next) in zip(units, units.dropFirst()) { unit.connectOutput(to: next) }
  }
}
