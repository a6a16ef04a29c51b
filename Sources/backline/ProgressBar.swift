import Glibc

/// The progress of a rendering in one line; nothing without a terminal.
struct ProgressBar: Sendable {
  private var shown = -1

  mutating func show(_ share: Double) {
    let percent = Int(share * 100)
    guard Terminal.errorIsTerminal, percent != shown else { return }
    shown = percent
    let cells = percent * 40 / 100
    let bar = String(repeating: "█", count: cells) + String(repeating: "·", count: 40 - cells)
    Terminal.write("\r\(bar) \(percent) %", to: STDERR_FILENO)
  }

  mutating func finish() {
    if shown >= 0 { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
    shown = -1
  }
}
