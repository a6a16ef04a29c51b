import ArgumentParser
import Glibc
import RackEngine

struct Top: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show which units of a running rack take how much of each cycle.",
    discussion: """
      Units in order of their share of a cycle, with their time in microseconds: mean, median, 99th \
      percentile and maximum. For units in their own processes also the missed cycles, the number of \
      restarts and the last reason. After a late cycle it names the slowest units and those that did \
      not answer.
      """)

  @Flag(help: "Print once and exit, as into a pipe.")
  var once = false

  @OptionGroup var rack: RackChoice

  func run() throws {
    let client = try rack.connect()
    var linesDrawn = 0
    repeat {
      let status = try client.ask("status", for: EngineSnapshot.self)
      guard Terminal.outputIsTerminal && !once else {
        return print(UnitLoads.lines(status, width: .max).joined(separator: "\n"))
      }
      let size = Terminal.size
      let lines = StatusLines.fitted(
        (UnitLoads.lines(status, width: size.columns) + ["Ctrl-C to stop"]).map { .init(text: $0) },
        height: size.lines
      ).map(\.text)
      let back = linesDrawn > 0 ? "\u{1B}[\(linesDrawn)A\u{1B}[J" : ""
      Terminal.write(back + lines.map { "\($0)\n" }.joined())
      linesDrawn = lines.count
      sleep(1)
    } while true
  }
}

/// A rack's units as a table, the slowest first.
enum UnitLoads {
  static func lines(_ status: EngineSnapshot, width: Int) -> [String] {
    let cycle = Double(status.bufferSize) / status.sampleRate * 1e6
    var head =
      "\(status.rack)   cycle \(StatusLines.decimal(cycle)) µs   load \(StatusLines.decimal(status.load)) %"
    head += "   xruns \(status.xruns)"
    let events = status.events
    if events.lost + events.late + events.malformed > 0 {
      head += "   events \(events.lost) lost, \(events.late) late, \(events.malformed) malformed"
    }
    let xrun = status.lastXrun.map { ["last xrun: \($0)"] } ?? []
    let recording = RecordingLine.text(status).map { [$0] } ?? []
    let units = status.units.sorted { $0.share > $1.share }
    let hasProcesses = units.contains { $0.process != nil }
    var rows = [["unit", "share", "mean", "p50", "p99", "max"]]
    if hasProcesses { rows[0] += ["late", "absent", "restarts", "last trouble"] }
    rows += units.map { row($0, hasProcesses: hasProcesses) }
    let missing = status.missing.map { "\($0.name)  MISSING: \($0.unit)" }
    let table = Table.lines(rows, right: 1..<9)
    return ([head] + xrun + recording + [""] + table + missing).map {
      String($0.prefix(width))
    }
  }

  private static func row(_ unit: EngineSnapshot.UnitTime, hasProcesses: Bool) -> [String] {
    let times = [unit.mean, unit.p50, unit.p99, unit.maximum].map {
      StatusLines.decimal(Double($0) / 1000)
    }
    let name = unit.name + (unit.condition.map { " (\($0))" } ?? "")
    let row = [name, "\(StatusLines.decimal(unit.share * 100)) %"] + times
    guard hasProcesses else { return row }
    guard let process = unit.process else { return row + ["-", "-", "-", ""] }
    return row + [
      "\(process.late)", "\(process.absent)", "\(process.restarts)", process.trouble ?? "",
    ]
  }
}
