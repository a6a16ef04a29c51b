import ArgumentParser
@preconcurrency import Glibc
import Synchronization

/// Standard output and standard error.
enum Terminal {
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  static let errorIsTerminal = isatty(STDERR_FILENO) == 1

  /// The last line that was printed to standard error.
  static var lastComplaint: String { complaint.withLock { $0 } }
  private static let complaint = Mutex("")

  /// Prints a line to standard error.
  static func complain(_ line: String) {
    complaint.withLock { $0 = line }
    write("\(line)\n", to: STDERR_FILENO)
  }

  /// Says what went wrong; what names its place (`unit.yaml:3:10: error: …`) says itself that it is
  /// an error.
  static func complain(of error: any Error) {
    let text = "\(error)"
    complain(text.contains(": error: ") ? text : "error: \(text)")
  }

  /// Has the process end with an error where standard output cannot take what was printed: most of it
  /// is written at the very end, when nobody else would notice that a disk is full.
  static func checkOutputAtEnd() {
    atexit {
      guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
      Terminal.complain("error: standard output: \(String(cString: strerror(errno)))")
      _exit(ExitCode.failed.rawValue)
    }
  }

  /// Prints why the command line is wrong, for errors that depend on the catalogue.
  static func refusal(_ reason: String) -> ExitCode {
    complain("error: \(reason)")
    return .validationFailure
  }

  /// Prints that a named file or unit does not exist.
  static func absence(_ reason: String) -> ExitCode {
    complain("error: \(reason)")
    return .wrongRack
  }

  /// Prints an error.
  static func failure(_ reason: String) -> ExitCode {
    complain("error: \(reason)")
    return .failed
  }

  /// Returns the result of `body`; prints its error.
  @discardableResult
  static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let code as ExitCode {
      // Has been reported.
      throw code
    } catch {
      complain(of: error)
      throw ExitCode.failed
    }
  }

  /// Writes at once, without buffering.
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }

  /// Columns and lines; 80 and 24 if unknown.
  static var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Whether the program may draw; otherwise the terminal belongs to another job of the shell.
  static var isInForeground: Bool {
    let group = tcgetpgrp(STDOUT_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Whether to draw in colours: https://no-color.org
  static let hasColours =
    outputIsTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false

  /// Whether the terminal shows what is typed, which would spoil a display.
  static func setEcho(_ isOn: Bool) {
    var settings = termios()
    guard isInForeground, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    let echo = tcflag_t(ECHO)
    settings.c_lflag = isOn ? settings.c_lflag | echo : settings.c_lflag & ~echo
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Shows the cursor and what is typed.
  static func restore() {
    guard outputIsTerminal else { return }
    setEcho(true)
    write("\u{1B}[?25h")
  }
}
