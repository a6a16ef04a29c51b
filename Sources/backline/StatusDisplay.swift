import Glibc
import RackEngine
import Synchronization

/// The calm display: a block of lines, drawn again in its place.
final class StatusDisplay: Sendable {
  private struct State {
    var linesDrawn = 0
    var cursorIsHidden = false
    var notes: [String] = []
    /// By port: a peak that falls slowly, as one reads it.
    var held: [String: Float] = [:]
  }

  private let state = Mutex(State())

  /// Shows a line above the block, for good.
  func note(_ text: String) {
    state.withLock { $0.notes.append(text) }
  }

  /// Draws the block; only the notes while the terminal is another job's.
  func draw(_ status: EngineSnapshot) {
    state.withLock { state in
      guard Terminal.isInForeground else { return Self.leave(&state) }
      let size = Terminal.size
      let width = max(size.columns, 40)
      let all = Self.lines(status, &state.held, width: width)
      let lines = Self.fitted(all, height: size.lines).map { String($0.prefix(width - 1)) }
      var text = state.cursorIsHidden ? "" : "\u{1B}[?25l"
      if state.linesDrawn > 0 { text += "\u{1B}[\(state.linesDrawn)A" }
      // A note may be wider than the terminal, so what it will flow over goes first.
      if !state.notes.isEmpty { text += "\u{1B}[J" }
      for note in state.notes { text += "\(note)\n" }
      for line in lines { text += "\u{1B}[K\(line)\n" }
      if lines.count < state.linesDrawn { text += "\u{1B}[J" }
      Terminal.write(text)
      state.linesDrawn = lines.count
      state.cursorIsHidden = true
      state.notes = []
    }
  }

  /// Leaves the cursor where a shell wants it, until the block is drawn again below.
  func leave() {
    state.withLock { Self.leave(&$0) }
  }

  private static func leave(_ state: inout State) {
    let cursor = state.cursorIsHidden ? "\u{1B}[?25h" : ""
    Terminal.write(state.notes.map { "\($0)\n" }.joined() + cursor)
    state.notes = []
    state.cursorIsHidden = false
    state.linesDrawn = 0
  }

  /// As many of the lines as a terminal of `height` lines holds without scrolling, with a word about
  /// those left out.
  static func fitted(_ lines: [String], height: Int) -> [String] {
    guard lines.count > max(height - 1, 3) else { return lines }
    let room = max(height - 1, 3) - 2
    let last = lines.suffix(1)
    return lines.prefix(room) + ["... \(lines.count - 1 - room) more"] + last
  }

  /// What is read first, load and xruns, has a line of its own, which fits narrow terminals.
  static func lines(
    _ status: EngineSnapshot, _ held: inout [String: Float], width: Int
  ) -> [String] {
    let milliseconds = Double(status.bufferSize) / status.sampleRate * 1000
    var lines = [
      "",
      "\(status.rack)   \(Int(status.sampleRate)) Hz, \(status.bufferSize) frames"
        + " (\(decimal(milliseconds)) ms)",
      (status.serverIsAway
        ? "waiting for the JACK server" : "load \(decimal(status.load)) %")
        + "   xruns \(status.xruns)"
        + (status.lastXrun?.units.first.map {
          " (longest: \($0.name), \(decimal($0.share * 100)) %)"
        } ?? ""),
    ]
    lines += status.latencies.map {
      "latency \(LatencyLine.text($0, sampleRate: status.sampleRate))"
    }
    lines.append(music(status))
    if let recording = RecordingLine.text(status) { lines.append(recording) }
    let names =
      status.inputs.map(\.name) + status.outputs.map(\.name) + status.midiInputs.map(\.name)
      + status.units.map(\.name)
    let column = min(max(names.map(\.count).max() ?? 0, 8), min(width / 3, 24))
    for (title, meters) in [("in ", status.inputs), ("out", status.outputs)] {
      for meter in meters {
        let last = (held["\(title)\(meter.name)"] ?? 0) * 0.89
        let peak = max(meter.peak, last)
        held["\(title)\(meter.name)"] = peak
        lines.append(
          "\(title)  \(padded(shortened(meter.name, column), column))  \(bar(peak, width: width - column - 18))"
        )
      }
    }
    for input in status.midiInputs {
      lines.append(
        "midi \(padded(shortened(input.name, column), column)) "
          + (input.last.map { "\(input.count)  \($0)" } ?? "nothing has come in"))
    }
    for unit in status.units {
      let state = unit.condition.map { "  \($0)" } ?? ""
      lines.append(
        "unit \(padded(shortened(unit.name, column), column)) \(padded(decimal(unit.share * 100), 6, left: true)) %"
          + "  \(padded(Decibels.text(unit.peak), 6, left: true)) dB\(state)"
          + "  \(decimal(Double(unit.mean) / 1000)) µs, at most"
          + " \(decimal(Double(unit.maximum) / 1000))")
    }
    for unit in status.missing {
      lines.append("unit \(padded(shortened(unit.name, column), column)) MISSING: \(unit.unit)")
    }
    return lines + ["Ctrl-C to stop"]
  }

  /// Tempo, transport and song.
  private static func music(_ status: EngineSnapshot) -> String {
    let transport = status.transport
    let tempo = decimal(status.tempo)
    return
      "\(tempo.hasSuffix(".0") ? String(tempo.dropLast(2)) : tempo) bpm   transport \(transport.isRolling ? "rolls" : "stands") at"
      + " \(ClockText.of(transport.seconds))" + (status.song.map { "   song \($0)" } ?? "")
  }

  /// A meter from -60 dB to full scale, with the peak in dB behind it.
  private static func bar(_ peak: Float, width: Int) -> String {
    let decibels = Decibels.of(peak)
    let cells = max(10, min(width, 48))
    let full = Int((min(max(decibels + 60, 0), 60) / 60 * Double(cells)).rounded())
    return String(repeating: "█", count: full) + String(repeating: "·", count: cells - full)
      + " \(padded(Decibels.text(peak), 5, left: true)) dB" + (decibels > 0 ? " clips" : "")
  }

  private static func decimal(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths.isFinite ? "\(tenths)" : "?"
  }

  private static func shortened(_ name: String, _ count: Int) -> String {
    name.count > count ? "\(name.prefix(count - 1))…" : name
  }

  private static func padded(_ text: String, _ count: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, count - text.count))
    return left ? space + text : text + space
  }
}
