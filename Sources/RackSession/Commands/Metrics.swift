import RackEngine

/// A snapshot in Prometheus' text format, version 0.0.4.
struct Metrics {
  private(set) var text = ""
  private let client: String

  init(_ status: EngineSnapshot, _ listing: RackListing) {
    client = status.clientName
    add("server_up", .gauge, "1 if there is a JACK server.", status.serverIsAway ? 0 : 1)
    add(
      "load_ratio", .gauge, "Share of a cycle that all JACK clients use together.",
      status.load / 100)
    add("sample_rate_hertz", .gauge, "JACK's sample rate.", status.sampleRate)
    add("buffer_size_frames", .gauge, "Frames a cycle.", Double(status.bufferSize))
    add("frames_total", .counter, "Frames rendered.", Double(status.sampleTime))
    add("xruns_total", .counter, "Late cycles.", Double(status.xruns))
    add(
      "cycle_seconds", .gauge, "Time that a cycle of the whole rack takes.",
      [
        ([("statistic", "mean")], Double(status.cycle.mean) / 1e9),
        ([("statistic", "max")], Double(status.cycle.maximum) / 1e9),
      ])
    add("threads", .gauge, "Threads that render the rack.", Double(status.cycle.threads))
    add(
      "latency_seconds", .gauge, "From the rack's inputs to an output.",
      status.latencies.map { ([("port", $0.port)], Double($0.frames) / status.sampleRate) })
    add(
      "events_total", .counter, "Events that were lost, late or malformed.",
      [
        ([("trouble", "lost")], Double(status.events.lost)),
        ([("trouble", "late")], Double(status.events.late)),
        ([("trouble", "malformed")], Double(status.events.malformed)),
      ])
    add(
      "ring_waiting", .gauge,
      "Entries that wait in the rings between the two halves, of 4096 each.",
      [
        ([("ring", "commands")], Double(status.rings.commands)),
        ([("ring", "reports")], Double(status.rings.reports)),
      ])
    addMeters(status)
    addUnits(status)
    add(
      "unit_reading", .gauge, "Parameters that can be read, but not set, in their own units.",
      listing.parameters.filter { !$0.isWritable }.map { parameter in
        ([("parameter", parameter.parameter)], Double(parameter.value))
      })
  }

  private enum Kind: String { case gauge, counter }
  private typealias Sample = (labels: [(String, String)], value: Double)

  private mutating func addMeters(_ status: EngineSnapshot) {
    let ports =
      status.inputs.map { ([("direction", "input"), ("port", $0.name)], $0) }
      + status.outputs.map { ([("direction", "output"), ("port", $0.name)], $0) }
    add(
      "port_peak", .gauge, "Largest recent magnitude, linear.", ports.map { ($0, Double($1.peak)) })
    add(
      "port_rms", .gauge, "Recent RMS, linear.",
      ports.map { ($0, Double($1.rms)) })
  }

  private mutating func addUnits(_ status: EngineSnapshot) {
    func each(_ value: (EngineSnapshot.UnitTime) -> Double) -> [Sample] {
      status.units.map { ([("unit", $0.name)], value($0)) }
    }
    let times: [(String, KeyPath<EngineSnapshot.UnitTime, Float>)] = [
      ("min", \.minimum), ("mean", \.mean), ("p50", \.p50), ("p99", \.p99), ("max", \.maximum),
    ]
    add(
      "unit_seconds", .gauge, "Time that a unit takes in a cycle.",
      status.units.flatMap { unit in
        times.map { ([("unit", unit.name), ("statistic", $0)], Double(unit[keyPath: $1]) / 1e9) }
      })
    add("unit_share_ratio", .gauge, "Share of the time of a cycle.", each(\.share))
    add(
      "unit_bypassed", .gauge,
      "1 if it is bypassed, by the musician or because its process is missing.",
      each { $0.condition == nil ? 0 : 1 })
    add("unit_peak", .gauge, "Largest magnitude of its outputs, linear.", each { Double($0.peak) })
    add(
      "unit_muted_total", .counter,
      "Times it produced NaN or infinity and was muted and reset.",
      each { Double($0.muted) })
    let remote = status.units.compactMap { unit in unit.process.map { (unit.name, $0) } }
    func process(_ value: KeyPath<EngineSnapshot.UnitProcess, Int>) -> [Sample] {
      remote.map { ([("unit", $0)], Double($1[keyPath: value])) }
    }
    add(
      "unit_given_up", .gauge, "1 if its process ended too often, so that it stays bypassed.",
      remote.map { ([("unit", $0)], $1.state == .givenUp ? 1 : 0) })
    add(
      "unit_late_total", .counter, "Cycles in which a process did not answer in time.",
      process(\.late))
    add("unit_absent_total", .counter, "Cycles without a process.", process(\.absent))
    add(
      "unit_restarts_total", .counter, "Restarts of its process.", process(\.restarts))
  }

  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    add(name, kind, help, [([], value)])
  }

  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP backline_\(name) \(help)\n# TYPE backline_\(name) \(kind.rawValue)\n"
    for (labels, value) in samples {
      let all = ([("client", client)] + labels).map { "\($0)=\"\(Self.escaped($1))\"" }
      text += "backline_\(name){\(all.joined(separator: ","))} \(Self.number(value))\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
  }

  private static func number(_ value: Double) -> String {
    value.isNaN
      ? "NaN"
      : value.isInfinite
        ? (value > 0 ? "+Inf" : "-Inf")
        : Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
