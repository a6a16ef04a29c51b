import AudioUnits
import CBenchmarks
import Glibc
import UnitModel

/// The latency of a parameter change from another thread: cycles and frames from the call to the first
/// changed sample.
enum ResponseBenchmark {
  private static let frames = 64
  private static let sampleRate = 48_000.0
  private static let trials = Measurement.amount(500, short: 10)
  /// The pause before a trial in microseconds: at least longer than a ramp, plus a random phase.
  private static let pause = (least: UInt32(8000), spread: UInt32(2667))

  struct NotRendered: Error, CustomStringConvertible {
    var description: String { "the render thread cannot be started, or stands still" }
  }

  private struct Trial {
    /// The number of cycles that started after the call returned, until the change was heard; 1 is the
    /// first.
    var cycles: Int
    /// The time from the start of the call to the first changed frame, frames.
    var frames: Double
  }

  static func run() throws {
    var table = Table(
      title: "A parameter's change from another thread, \(frames) frames", unit: "cycles",
      reference: "next")
    table.rows.append(
      try row("setParameter") { unit, value in try unit.setParameter(0, to: value) })
    table.rows.append(
      try row("scheduleParameter(at: .now)") { unit, value in
        try unit.scheduleParameter(address: 0, value: value)
      })
    try table.show()
    print("  The most of \(trials) trials at random moments. It is to sound in the next cycle that")
    print("  begins; 0 is one that was beginning just then.")
  }

  private static func row(
    _ name: String, _ set: (AudioUnit, Float) throws -> Void
  ) throws -> Table.Row {
    let results = try measure(set)
    let cycles = results.map(\.cycles).sorted()
    let frames = results.map(\.frames).sorted()
    let middle = Table.number(Measurement.median(frames))
    return Table.Row(
      name, ours: cycles.last.map(Double.init), reference: 1, aim: 1,
      remark: "least \(cycles[0]), median \(cycles[cycles.count / 2]);"
        + " frames from the call to the sample: \(Table.number(frames.first)), \(middle),"
        + " \(Table.number(frames.last))")
  }

  private static func measure(_ set: (AudioUnit, Float) throws -> Void) throws -> [Trial] {
    guard let gain = ComponentDescription("aufx/gain/bkln"),
      let component = ComponentCatalogue().components(matching: gain).first
    else { throw NotRendered() }
    let unit = try AudioUnit(component)
    try unit.allocateRenderResources()
    let seconds = Double(pause.least + pause.spread) * 1e-6 * Double(trials) * 2 + 10
    guard let block = unit.renderBlock,
      let pacer = bl_pacer_start(
        block.pointer, UInt32(frames), sampleRate, UInt32(seconds * sampleRate) / UInt32(frames))
    else { throw NotRendered() }
    defer { bl_pacer_stop(pacer) }
    return try (0..<trials).map { trial in
      usleep(pause.least + .random(in: 0..<pause.spread))
      bl_pacer_arm(pacer)
      let called = Measurement.now()
      try set(unit, trial % 2 == 0 ? -6 : 6)
      let returned = Measurement.now()
      while bl_pacer_change(pacer) < 0 {
        usleep(500)
        if Measurement.now() > returned + 1 { throw NotRendered() }
      }
      return self.trial(pacer, heard: Int(bl_pacer_change(pacer)), called, returned)
    }
  }

  private static func trial(
    _ pacer: OpaquePointer, heard: Int, _ called: Double, _ returned: Double
  ) -> Trial {
    let cycle = heard / frames
    func time(_ cycle: Int) -> Double { bl_pacer_time(pacer, UInt32(cycle)) }
    var cycles = 0
    while cycle - cycles >= 0, time(cycle - cycles) > returned { cycles += 1 }
    return Trial(
      cycles: cycles, frames: (time(cycle) - called) * sampleRate + Double(heard % frames))
  }
}
