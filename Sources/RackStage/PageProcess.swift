import AsyncSupport
import AudioUnits
import CLinux
import Dispatch
import Documents
import Glibc
import RackEngine

/// The process that serves the page (`backline-page`); started again up to four times if it ends by itself.
public final class PageProcess: Sendable {
  public struct Options: Sendable {
    /// The TCP port; 0 for any free port.
    public var port = 0
    /// Whether the page is served to the network, too.
    public var servesNetwork = false
    /// Whether pages of the network may edit.
    public var networkMayEdit = false
    /// The paths of a certificate and its key, for TLS; nil without encryption.
    public var certificate: (file: String, key: String)?

    public init() {}
  }

  private struct State: Sendable {
    var hasStopped = false
    /// The process's standard input, whose end ends the process; -1 without a process.
    var input: Int32 = -1
    var port: Int
  }

  private static let maximumStarts = 5
  /// The prefix of a line with the reason why the page cannot be served; all other lines are links.
  private static let errorMark = "error: "

  private let command: [String]
  private let report: @Sendable (EngineEvent) -> Void
  private let state: Guarded<State>

  /// Returns the command that serves the page of a control socket.
  ///
  /// - Throws: `HelperPrograms.Missing`, or `Refusal` if the page's files are not found.
  package static func command(socket: String, _ options: Options) throws -> [String] {
    guard let files = DataFolder.find("page") else {
      throw Refusal("the folder “page” was not found in BACKLINE_DATA or beside this program")
    }
    let program = try HelperPrograms.path("backline-page")
    return [program, "--socket", socket, "--files", files]
      + (options.servesNetwork ? ["--lan"] : []) + (options.networkMayEdit ? ["--edit"] : [])
      + (options.certificate.map { ["--certificate", $0.file, "--key", $0.key] } ?? [])
  }

  /// Serves a control socket's page until `stop`, and reports its links.
  init(
    socket: String, _ options: Options, report: @escaping @Sendable (EngineEvent) -> Void
  ) throws {
    command = try Self.command(socket: socket, options)
    self.report = report
    state = Guarded(State(port: options.port))
    let queue = DispatchQueue(label: "backline.page")
    queue.async { self.run() }
  }

  func stop() {
    state.withLock { state in
      state.hasStopped = true
      if state.input >= 0 { close(state.input) }
      state.input = -1
    }
  }

  private var hasStopped: Bool { state.withLock(\.hasStopped) }

  private func run() {
    for start in 0..<Self.maximumStarts {
      do {
        try serve(isFirst: start == 0)
      } catch {
        return report(.warning("the page cannot be served: \(error)"))
      }
      if hasStopped { return }
      guard start < Self.maximumStarts - 1 else { break }
      report(.warning("the page's process has ended; it starts again"))
      // Longer each time: 0.1 s, 0.2 s …
      usleep(100_000 << useconds_t(start))
      if hasStopped { return }
    }
    report(.warning("the page's process ends again and again; “backline page” starts another"))
  }

  /// Runs the process; returns once it has ended.
  ///
  /// - Throws: `FileError` or `Refusal` with the reason why no process can serve the page.
  private func serve(isFirst: Bool) throws {
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard bl_pipe(&input) == 0, bl_pipe(&output) == 0 else { throw FileError(path: "pipe") }
    let port = state.withLock { state in
      state.input = input[1]
      return state.port
    }
    let arguments = command + ["--attached", "--port", "\(port)"]
    let process = arguments.withCStrings {
      bl_spawn($0, nil, [input[0], output[1], STDERR_FILENO])
    }
    let problem = errno
    close(input[0])
    close(output[1])
    defer {
      close(output[0])
      state.withLock { state in
        if state.input >= 0 { close(state.input) }
        state.input = -1
      }
      // The process ends when its input ends.
      if process > 0 { waitpid(process, nil, 0) }
    }
    guard process > 0 else {
      throw FileError(path: command[0], reason: String(cString: strerror(problem)))
    }
    // The first link is for this machine.
    var isLocal = true
    var pending = LineBuffer()
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output[0], &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      pending.append(block[..<count])
      while let bytes = pending.pop() {
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix(Self.errorMark) {
          throw Refusal(String(line.dropFirst(Self.errorMark.count)))
        }
        savePort(of: line)
        if isFirst { report(.page(line, isLocal: isLocal)) }
        isLocal = false
      }
    }
  }

  /// Saves the port of a link for the next process, so that pages find the process again.
  private func savePort(of link: String) {
    let port = link.split(separator: "/").dropFirst().first?.split(separator: ":").last
    if let port = port.flatMap({ Int($0) }) { state.withLock { $0.port = port } }
  }
}
