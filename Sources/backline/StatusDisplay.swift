import Glibc
import RackEngine
import Synchronization

/// The live display of `backline run`: notes that scroll, and below them a block of lines that is redrawn in place.
final class StatusDisplay: Sendable {
  private struct State {
    /// The number of lines of the block as drawn last; 0 if the block is not on the screen.
    var linesDrawn = 0
    var size = (columns: 0, lines: 0)
    /// Whether cursor and echo are off.
    var holdsTerminal = false
    var notes: [String] = []
    /// The newest notes that were shown, to show them again after the screen was cleared.
    var shownNotes: [String] = []
    var meters = StatusLines.Meters()
  }

  private let state = Mutex(State())

  /// Adds a line, which the next `draw` shows above the block.
  func show(_ text: String) {
    state.withLock { $0.notes.append(text) }
  }

  /// Draws the block, unless the terminal belongs to another job of the shell.
  func draw(_ status: EngineSnapshot) {
    state.withLock { state in
      guard Terminal.isInForeground else { return Self.leave(&state) }
      let size = Terminal.size
      let width = max(size.columns, 40)
      let lines = StatusLines.fitted(
        StatusLines.lines(status, &state.meters, width: width), height: size.lines)
      var text = ""
      if !state.holdsTerminal {
        Terminal.setEcho(false)
        text += "\u{1B}[?25l"
      }
      if state.linesDrawn > 0 && size != state.size {
        // Terminals rewrap lines differently, so the block's position is unknown.
        text += "\u{1B}[H\u{1B}[2J"
        state.notes = state.shownNotes.suffix(max(0, size.lines - lines.count - 1)) + state.notes
      } else if state.linesDrawn > 0 {
        text += "\u{1B}[\(state.linesDrawn)A"
      }
      // A note may be wider than the terminal: clear everything that it can flow over.
      if !state.notes.isEmpty { text += "\u{1B}[J" }
      for note in state.notes { text += "\(note)\n" }
      for line in lines { text += "\u{1B}[K\(line.drawn(width: width - 1))\n" }
      if lines.count < state.linesDrawn { text += "\u{1B}[J" }
      Terminal.write(text)
      (state.linesDrawn, state.size, state.holdsTerminal) = (lines.count, size, true)
      state.shownNotes = Array((state.shownNotes + state.notes).suffix(20))
      state.notes = []
    }
  }

  /// Restores cursor and echo. The next block is drawn below.
  func leave() {
    state.withLock { Self.leave(&$0) }
  }

  private static func leave(_ state: inout State) {
    Terminal.write(state.notes.map { "\($0)\n" }.joined())
    if state.holdsTerminal { Terminal.restore() }
    state.notes = []
    state.holdsTerminal = false
    state.linesDrawn = 0
  }
}
