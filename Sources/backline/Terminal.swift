import ArgumentParser
import CForeignUnits
import Documents
@preconcurrency import Glibc

/// Standard output and standard error.
enum Terminal {
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  static let errorIsTerminal = isatty(STDERR_FILENO) == 1

  /// Prints a line to standard error.
  static func complain(_ line: String) {
    write("\(line)\n", to: STDERR_FILENO)
  }

  /// Prints why a command ended; returns the error for ArgumentParser to exit with.
  static func report(_ error: any Error) -> any Error {
    // All errors of ArgumentParser but ExitCode have codes of their own.
    if error is ExitCode || Backline.exitCode(for: error) != .failure { return error }
    let text = "\(error)"
    // A message with a file and line (`unit.yaml:3:10: error: …`) contains the word already.
    complain(text.contains(": error: ") ? text : "error: \(text)")
    return (error as? Failure)?.code ?? .failed
  }

  /// Ends the process with an error if standard output cannot be written, as on a full disk. Most output is written
  /// at the very end.
  static func checkOutputAtEnd() {
    atexit {
      guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
      Terminal.complain("error: standard output: \(String(cString: strerror(errno)))")
      _exit(ExitCode.failed.rawValue)
    }
  }

  /// Writes a text without buffering.
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    _ = WholeFile.append(Array(text.utf8), to: descriptor)
  }

  /// The size of the terminal in columns and lines; 80 and 24 if unknown.
  static var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Whether the program may draw: otherwise the terminal belongs to another job of the shell.
  static var isInForeground: Bool {
    let group = tcgetpgrp(STDOUT_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Whether to draw in colours: https://no-color.org
  static let hasColours =
    outputIsTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false

  /// Switches the echo of typed characters, which would disturb a display.
  static func setEcho(_ isOn: Bool) {
    var settings = termios()
    guard isInForeground, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    let echo = tcflag_t(ECHO)
    settings.c_lflag = isOn ? settings.c_lflag | echo : settings.c_lflag & ~echo
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Restores cursor and echo. Can be called in a signal handler, as it does not allocate.
  static func restore() {
    guard outputIsTerminal else { return }
    setEcho(true)
    let showCursor: StaticString = "\u{1B}[?25h"
    _ = Glibc.write(STDOUT_FILENO, showCursor.utf8Start, showCursor.utf8CodeUnitCount)
  }

  /// Installs a report of the unit, function and line at which the program crashes.
  static func reportCrashes() {
    _ = outputIsTerminal
    bl_install_crash_report(BL_CRASH_REPORT_FOR_PEOPLE) { Terminal.restore() }
  }
}
