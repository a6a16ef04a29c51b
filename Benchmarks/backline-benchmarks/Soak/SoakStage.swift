import BacklineTestSupport
import Foundation

/// `backline run` at a server, and beside it an idle client at another server of the same period, whose
/// xruns are the machine's.
final class SoakStage {
  static let client = "Soak"
  /// A rack of eight units in a row, each in its own process.
  static let gainRow = """
    rack: \(client)
    inputs: { in: { channels: 1 } }
    outputs: { out: { channels: 1 } }
    units:
    \(row.map { "  \($0): { unit: aufx/gain/bkln, process: own }" }.joined(separator: "\n"))
    connections: [ in -> \(row.joined(separator: " -> ")) -> out ]

    """
  static let row = (1...8).map { "u\($0)" }
  let folder: TemporaryFolder
  let server: JackTestServer
  let program: Child
  private let idleServer: JackTestServer
  private let idleClient: Child
  private var output: String { folder.path("output") }
  private var idleOutput: String { folder.path("idle-output") }

  struct NotPlaying: Error, CustomStringConvertible { var description: String }

  /// - Parameter rack: a rack file's text, whose name is `client`.
  init(_ rack: String, period: Int = 64, in folder: TemporaryFolder) throws {
    self.folder = folder
    server = try JackTestServer(period: period, timeout: nil)
    idleServer = try JackTestServer(beside: server, period: period, timeout: nil)
    for name in ["output", "idle-output"] { unlink(folder.path(name)) }
    let environment = ["JACK_NO_START_SERVER": "1"]
    idleClient = try Child.start(
      [Child.sibling("bare-client"), idleServer.name, "xruns"], environment: environment,
      output: folder.path("idle-output"))
    let path = try folder.write("rack.yaml", bytes: Array(rack.utf8))
    program = try Child.start(
      [Child.sibling("backline"), "run", path, "--server-name", server.name],
      environment: environment, output: folder.path("output"))
    for _ in 0..<500 where !said.contains("ready:") { usleep(20_000) }
    guard said.contains("ready:") else {
      let reason = said
      end()
      throw NotPlaying(description: reason)
    }
  }

  /// The program's output so far.
  var said: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

  /// Returns how often the output contains a sentence so far.
  func count(of sentence: String) -> Int { said.components(separatedBy: sentence).count - 1 }

  /// The times from each death to the return, sorted, milliseconds.
  var returns: [Double] {
    said.components(separatedBy: "plays again, after ").dropFirst()
      .compactMap { Double($0.prefix { $0.isNumber }) }.sorted()
  }

  var unitProcesses: Set<Int> {
    ProcessTable.children(of: Int(program.process), named: "backline-unit")
  }

  /// The xruns since the start, up to a second ago: of the server with the rack, and of the idle one.
  ///
  /// The clients report them, since libjack knows only one server in a process.
  var xruns: (ours: Int, idle: Int) { (Self.lastCount(output), Self.lastCount(idleOutput)) }

  private static func lastCount(_ path: String) -> Int {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let last = text.components(separatedBy: "xruns so far: ").dropFirst().last
    return last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
  }

  func end() {
    program.end()
    idleClient.end()
    idleServer.stop()
    server.stop()
  }
}

extension Table {
  /// Adds rows of return times in milliseconds, from a death or another event.
  mutating func addReturns(_ times: [Double], aim: Double?, from beginning: String = "death") {
    guard let last = times.last else { return }
    let middle = times[times.count / 2]
    rows.append(
      Row(
        "ms from \(beginning) to sound, p50", ours: middle, reference: nil, ratio: middle, aim: aim,
        remark: "least \(Self.number(times[0])), most \(Self.number(last)), of \(times.count)"))
  }

  mutating func addXruns(_ xruns: (ours: Int, idle: Int)) {
    rows.append(
      Row(
        "xruns", ours: Double(xruns.ours), reference: Double(xruns.idle),
        ratio: Double(xruns.ours), aim: Double(xruns.idle), remark: "beside an idle client's"))
  }
}
