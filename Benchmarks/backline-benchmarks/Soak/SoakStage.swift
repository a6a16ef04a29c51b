import BacklineTestSupport
import CBenchmarks
import CJack
import Foundation

/// `backline run` at a server of 64 frames, and beside it, at another, a client that does nothing: its
/// xruns are the machine's.
final class SoakStage {
  static let period = 64
  static let client = "Soak"
  let folder: TemporaryFolder
  let server: JackTestServer
  let program: Child
  private let idleServer: JackTestServer
  private let idleClient: Child
  private let watchers: [OpaquePointer]
  private var output: String { folder.path("output") }

  struct NotPlaying: Error, CustomStringConvertible { var description: String }

  /// - Parameter rack: a rack file's text, whose name is `client`.
  init(_ rack: String, in folder: TemporaryFolder) throws {
    self.folder = folder
    server = try JackTestServer(period: Self.period)
    idleServer = try JackTestServer(beside: server, period: Self.period)
    var problem: UnsafePointer<CChar>?
    guard let library = bl_jack_load_client(&problem),
      let ours = bl_watcher_create(library, server.name),
      let idle = bl_watcher_create(library, idleServer.name)
    else { throw LiveBenchmark.NoServer() }
    watchers = [ours, idle]
    let environment = ["JACK_NO_START_SERVER": "1"]
    idleClient = try Child.start(
      [Child.sibling("bare-client"), idleServer.name], environment: environment)
    let path = try folder.write("rack.yaml", bytes: Array(rack.utf8))
    unlink(folder.path("output"))
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

  /// What the program has said so far.
  var said: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

  /// How often it has said this so far.
  func count(of sentence: String) -> Int { said.components(separatedBy: sentence).count - 1 }

  /// Milliseconds from each death to the return, sorted.
  var returns: [Double] {
    said.components(separatedBy: "plays again, after ").dropFirst()
      .compactMap { Double($0.prefix { $0.isNumber }) }.sorted()
  }

  var unitProcesses: Set<Int> {
    ProcessTable.children(of: Int(program.process), named: "backline-unit")
  }

  /// Xruns since the beginning: of the server with the rack, and of the idle one.
  var xruns: (ours: Int, idle: Int) {
    (Int(bl_watcher_xruns(watchers[0])), Int(bl_watcher_xruns(watchers[1])))
  }

  func end() {
    program.end()
    idleClient.end()
    for watcher in watchers { bl_watcher_destroy(watcher) }
    idleServer.stop()
    server.stop()
  }
}

extension Table {
  /// Milliseconds from a death to the return.
  mutating func addReturns(_ times: [Double], aim: Double?) {
    guard let last = times.last else { return }
    let middle = times[times.count / 2]
    rows.append(
      Row(
        "ms from death to sound, p50", ours: middle, reference: nil, ratio: middle, aim: aim,
        remark: "least \(Self.number(times[0])), most \(Self.number(last)), of \(times.count)"))
  }

  mutating func addXruns(_ xruns: (ours: Int, idle: Int)) {
    rows.append(
      Row(
        "xruns", ours: Double(xruns.ours), reference: Double(xruns.idle),
        ratio: Double(xruns.ours), aim: Double(xruns.idle), remark: "beside an idle client's"))
  }
}
