import BacklineTestSupport
import CBenchmarks
import CJack
import Glibc

/// The running program, beside others, at a JACK server of its own: 64 frames, 48 kHz.
enum LiveBenchmark {
  private static let rounds = 15

  /// Returns a rack with a chain of stereo gains.
  private static func rack(gains: Int) -> String {
    let names = (1...gains).map { "gain\($0)" }
    let units = names.map { "\($0): { unit: aufx/gain/bkln }" }.joined(separator: ", ")
    return """
      rack: Gains
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units: { \(units) }
      connections: [ in -> \(names.joined(separator: " -> ")) -> out ]

      """
  }

  /// The command lines of programs that do the same work.
  private struct Clients {
    var ours: [String]
    var bare: [String]
    /// nil where it is not installed.
    var jalv: [String]?
  }

  struct NoServer: Error, CustomStringConvertible {
    var description: String { "there is no JACK server to measure at; apt install jackd2" }
  }

  struct NotActive: Error, CustomStringConvertible {
    var command: [String]
    var description: String {
      "no port within 10 s after the start of \(command.joined(separator: " "))"
    }
  }

  private static func clients(_ folder: TemporaryFolder, _ server: JackTestServer) throws -> Clients
  {
    let rack = try folder.write("gain.yaml", bytes: Array(rack(gains: 1).utf8))
    let hasJalv = Child.exists("jalv") && access("/usr/lib/lv2/eg-amp.lv2", R_OK) == 0
    return Clients(
      ours: [Child.sibling("backline"), "run", rack, "--server-name", server.name],
      bare: [Child.sibling("bare-client"), server.name],
      jalv: hasJalv ? ["jalv", "-i", "http://lv2plug.in/plugins/eg-amp"] : nil)
  }

  static func start(_ command: [String], at server: JackTestServer) throws -> Child {
    try Child.start(
      command, environment: ["JACK_DEFAULT_SERVER": server.name, "JACK_NO_START_SERVER": "1"])
  }

  /// Measures the time from exec to the announcement of the ports, which JACK sends when a client becomes
  /// active.
  static func start() throws {
    let folder = try TemporaryFolder()
    let server = try JackTestServer(period: 64)
    let clients = try clients(folder, server)
    var problem: UnsafePointer<CChar>?
    guard let library = bl_jack_load_client(&problem),
      let watcher = bl_watcher_create(library, server.name)
    else { throw NoServer() }
    defer { bl_watcher_destroy(watcher) }
    func measure(_ command: [String]) throws -> Double {
      bl_watcher_arm(watcher)
      let began = Measurement.now()
      let child = try start(command, at: server)
      while bl_watcher_time(watcher) == 0, Measurement.now() < began + 10 { usleep(500) }
      let time = bl_watcher_time(watcher)
      usleep(100_000)
      child.end()
      usleep(50_000)
      guard time > 0 else { throw NotActive(command: command) }
      return (time - began) * 1000
    }
    var measures = [{ try measure(clients.ours) }, { try measure(clients.bare) }]
    if let jalv = clients.jalv { measures.append { try measure(jalv) } }
    let medians = try Measurement.interleaved(rounds: rounds, measures)
    var table = Table(title: "Start, from exec to an active JACK client", unit: "ms")
    table.reference = "other"
    table.rows.append(Table.Row("beside a bare client", ours: medians[0], reference: medians[1]))
    table.rows.append(
      Table.Row(
        "beside jalv with eg-amp", ours: medians[0],
        reference: clients.jalv != nil ? medians[2] : nil, aim: 1,
        remark: clients.jalv != nil ? "" : "apt install jalv lv2-examples"))
    try table.show()
  }

  /// Measures the private memory, live and over ten million frames offline.
  static func memory() throws {
    let folder = try TemporaryFolder()
    var table = Table(title: "Memory: private while running", unit: "MiB", reference: "beside")
    do {
      let server = try JackTestServer(period: 64)
      let clients = try clients(folder, server)
      for (name, command) in [("run, one gain", clients.ours), ("a bare client", clients.bare)] {
        let child = try start(command, at: server)
        sleep(2)
        let (memory, libraries) = (child.privateMemory, child.sharedLibraryCount)
        child.end()
        let isOurs = name == "run, one gain"
        table.rows.append(
          Table.Row(
            name, ours: memory, reference: isOurs ? 12 : nil, aim: isOurs ? 1 : nil,
            remark: (isOurs ? "beside the aim; " : "") + "\(Int(libraries)) shared libraries"))
      }
    }
    let rack = try folder.write("gain.yaml", bytes: Array(rack(gains: 1).utf8))
    let counts = Measurement.amount([1_000_000, 10_000_000], short: [50_000, 100_000])
    let peaks = try counts.map { frames in
      let noise = try folder.writeNoise(seconds: frames / 48_000 + 1, channels: 2, to: "noise.wav")
      let child = try Child.start([
        Child.sibling("backline"), "render", rack, "--in", "in=\(noise)", "--out",
        "out=\(folder.path("out.wav"))",
      ])
      var peak = 0.0
      while let memory = child.privateMemory {
        peak = max(peak, memory)
        usleep(5000)
      }
      child.wait()
      return peak
    }
    table.rows.append(
      Table.Row(
        "render, ten million frames", ours: peaks[1], reference: peaks[0], aim: 1.1,
        remark: "peak, beside one million frames"))
    try table.show()
  }

  /// Measures the processor time of the running clients, each alone at the server, in turns.
  static func client() throws {
    let folder = try TemporaryFolder()
    let server = try JackTestServer(period: 64)
    let clients = try clients(folder, server)
    func measure(_ command: [String]) throws -> Double {
      try share(of: command, at: server, seconds: Measurement.amount(4, short: 1))
    }
    let chain = try folder.write("chain.yaml", bytes: Array(rack(gains: 64).utf8))
    let many = [Child.sibling("backline"), "run", chain, "--server-name", server.name]
    let medians = try Measurement.interleaved(
      rounds: 5, [clients.ours, clients.bare, many].map { command in { try measure(command) } })
    var table = Table(title: "Running client, 64 frames", unit: "% of a processor")
    table.rows.append(
      Table.Row("run, one gain", ours: medians[0], reference: medians[1], aim: 1.3))
    table.rows.append(
      Table.Row("run, 64 gains", ours: medians[2], reference: medians[1], remark: "one bare gain"))
    try table.show()
  }

  /// Returns the share of a processor that a program uses after its first second, percent.
  static func share(
    of command: [String], at server: JackTestServer, seconds: UInt32,
    end: (Child) -> Void = { $0.end() }
  ) throws -> Double {
    let child = try start(command, at: server)
    defer { end(child) }
    sleep(1)
    let (before, began) = (child.processorTime, Measurement.now())
    sleep(seconds)
    let time = child.processorTime - before
    guard time > 0 else { throw Child.Failed(command: command) }
    return time / (Measurement.now() - began) * 100
  }
}
