import Foundation
import Synchronization
import Testing

/// A terminal with a program in its foreground, and the content of its screen.
final class PseudoTerminal: Sendable {
  private let descriptor: Int32
  private let process: Process
  private let screen: Mutex<Screen>

  /// Runs `backline` with these arguments.
  init(columns: Int, lines: Int, _ arguments: [String]) throws {
    var (main, side) = (Int32(-1), Int32(-1))
    var size = winsize(
      ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&main, &side, nil, nil, &size) == 0)
    descriptor = main
    screen = Mutex(Screen(columns: columns, lines: lines))
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", Program.url.path] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_RUNTIME_DIR": Program.runtimeFolder, "TERM": "xterm"]) { $1 }
    let terminal = FileHandle(fileDescriptor: side, closeOnDealloc: true)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    Thread.detachNewThread { [self] in
      var block = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &block, block.count)
        guard count > 0 else { return }
        screen.withLock { $0.write(block[..<count]) }
      }
    }
  }

  deinit { close(descriptor) }

  var text: String { screen.withLock { $0.text } }
  var cursorIsVisible: Bool { screen.withLock { $0.cursorIsVisible } }

  var echoes: Bool {
    var settings = termios()
    return tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  func resize(columns: Int, lines: Int) {
    var size = winsize(
      ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    screen.withLock { $0.resize(columns: columns, lines: lines) }
    ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Waits until `isRight` accepts the screen's content.
  func wait(_ isRight: (String) -> Bool) async throws {
    for _ in 0..<3000 {
      if isRight(text) { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("the screen shows:\n\(text)")
    throw CancellationError()
  }

  func waitForEnd() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// The part of a terminal that the display uses. Lines are cut, not wrapped.
private struct Screen {
  private var columns: Int
  private var rows: [[Character]]
  private var (row, column) = (0, 0)
  private(set) var cursorIsVisible = true
  private var pending: [UInt8] = []

  init(columns: Int, lines: Int) {
    self.columns = columns
    rows = Array(repeating: [], count: lines)
  }

  var text: String { rows.map { String($0) }.joined(separator: "\n") }

  /// The cursor's line stays visible, as in xterm.
  mutating func resize(columns: Int, lines: Int) {
    self.columns = columns
    while rows.count > lines {
      rows.removeFirst()
      row = max(0, row - 1)
    }
    while rows.count < lines { rows.append([]) }
  }

  mutating func write(_ bytes: ArraySlice<UInt8>) {
    pending += bytes
    // Letters and escape sequences may arrive in parts.
    let text = String(decoding: pending, as: UTF8.self)
    guard !text.hasSuffix("\u{FFFD}") else { return }
    var rest = text[...]
    while let next = rest.first {
      if next == "\u{1B}" {
        guard let end = rest.dropFirst(2).firstIndex(where: { $0.isLetter }) else { break }
        escape(String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end]), rest[end])
        rest = rest[rest.index(after: end)...]
      } else {
        put(next)
        rest = rest.dropFirst()
      }
    }
    pending = Array(rest.utf8)
  }

  private mutating func put(_ character: Character) {
    switch character {
    case "\r\n":
      column = 0
      newLine()
    case "\n": newLine()
    case "\r": column = 0
    default:
      guard column < columns else { return }
      while rows[row].count <= column { rows[row].append(" ") }
      rows[row][column] = character
      column += 1
    }
  }

  private mutating func newLine() {
    row += 1
    if row == rows.count {
      rows.removeFirst()
      rows.append([])
      row -= 1
    }
  }

  private mutating func escape(_ parameter: String, _ command: Character) {
    switch (command, parameter) {
    case ("A", _): row = max(0, row - (Int(parameter) ?? 1))
    case ("H", _): (row, column) = (0, 0)
    case ("K", _): rows[row] = Array(rows[row].prefix(column))
    case ("J", "2"): rows = rows.map { _ in [] }
    case ("J", _):
      rows[row] = Array(rows[row].prefix(column))
      for below in rows.indices.dropFirst(row + 1) { rows[below] = [] }
    case ("h", "?25"): cursorIsVisible = true
    case ("l", "?25"): cursorIsVisible = false
    default: break
    }
  }
}
