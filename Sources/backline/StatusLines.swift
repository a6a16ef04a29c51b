import RackEngine

/// The lines of the live display.
enum StatusLines {
  struct Line {
    /// Lines of lower ranks are shown when the terminal is too small for all.
    enum Rank: Int { case always, output, input, unit, detail }

    enum Colour: String {
      case plain = ""
      case red = "31"
      case yellow = "33"
      case green = "32"
      case faint = "2"
      case bold = "1"
    }

    var text: String
    var rank = Rank.always
    var colour = Colour.plain

    /// Returns at most `width` columns, with colours if the terminal supports them.
    func drawn(width: Int) -> String {
      let text = String(text.prefix(width))
      guard colour != .plain, Terminal.hasColours else { return text }
      return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
  }

  /// The displayed peaks of ports, which fall slowly. A clipped port stays marked.
  struct Meters {
    private var held: [String: (peak: Float, framesSinceClip: Int)] = [:]
    /// The number of drawings for which a clip mark stays: five seconds.
    private static let clipHold = 50

    mutating func show(_ name: String, peak: Float) -> (peak: Float, clips: Bool) {
      let last = held[name] ?? (0, Self.clipHold)
      let shown = max(peak, last.peak * 0.89)
      let since = peak > 1 ? 0 : last.framesSinceClip + 1
      held[name] = (shown, since)
      return (shown, since < Self.clipHold)
    }
  }

  /// Returns the most important lines that fit a terminal of `height` lines without scrolling, and the number of
  /// omitted lines.
  static func fitted(_ lines: [Line], height: Int) -> [Line] {
    let room = max(height - 1, 3)
    guard lines.count > room else { return lines }
    let byRank = lines.indices.sorted {
      (lines[$0].rank.rawValue, $0) < (lines[$1].rank.rawValue, $1)
    }
    // The last line, which says how to stop, stays below the number.
    let kept = Set(byRank.filter { $0 != lines.count - 1 }.prefix(room - 2))
    return lines.indices.filter(kept.contains).map { lines[$0] }
      + [Line(text: "... \(lines.count - 1 - kept.count) more")] + lines.suffix(1)
  }

  static func lines(_ status: EngineSnapshot, _ meters: inout Meters, width: Int) -> [Line] {
    var lines = head(status)
    let names =
      status.inputs.map(\.name) + status.outputs.map(\.name) + status.midiInputs.map(\.name)
      + status.units.map(\.name)
    let column = min(max(names.map(\.count).max() ?? 0, 8), min(width / 3, 24))
    func label(_ name: String) -> String { shortened(name, column).padded(to: column) }
    for (title, rank, ports) in [
      ("in ", Line.Rank.input, status.inputs), ("out", Line.Rank.output, status.outputs),
    ] {
      for port in ports {
        let (peak, clips) = meters.show(
          "\(title) \(port.name)", peak: status.serverIsAway ? 0 : port.peak)
        let bar = bar(peak, clips: clips, width: width - column - 24)
        lines.append(
          Line(
            text: "\(title)  \(label(port.name))  \(bar)", rank: rank,
            colour: clips ? .red : peak > 0.5 ? .yellow : .green))
      }
    }
    for input in status.midiInputs {
      let activity = input.last.map { "\(input.count)  \($0)" } ?? "no messages yet"
      lines.append(Line(text: "midi \(label(input.name)) \(activity)", rank: .input))
    }
    for unit in status.units {
      lines.append(
        Line(
          text: "unit \(label(unit.name)) \(text(unit, isAway: status.serverIsAway))", rank: .unit,
          colour: unit.isBypassed ? .faint : .plain))
    }
    for unit in status.missing {
      lines.append(
        Line(text: "unit \(label(unit.name)) MISSING: \(unit.unit)", rank: .input, colour: .red))
    }
    return lines + [Line(text: "Ctrl-C to stop")]
  }

  private static func head(_ status: EngineSnapshot) -> [Line] {
    let milliseconds = decimal(Double(status.bufferSize) / status.sampleRate * 1000)
    var load =
      status.serverIsAway ? "waiting for the JACK server" : "load \(decimal(status.load)) %"
    if status.cycle.threads > 1 { load += " on \(status.cycle.threads) threads" }
    load += "   xruns \(status.xruns)"
    if let slowest = status.lastXrun?.units.first {
      load += " (longest: \(slowest.name), \(decimal(slowest.share * 100)) %)"
    }
    var lines = [
      Line(text: "", rank: .detail),
      Line(
        text: "\(status.rack)   \(Int(status.sampleRate)) Hz, \(status.bufferSize) frames"
          + " (\(milliseconds) ms)", colour: .bold),
      Line(text: load, colour: status.serverIsAway ? .red : .plain),
    ]
    lines += status.latencies.map {
      Line(text: "latency \(LatencyLine.text($0, sampleRate: status.sampleRate))", rank: .detail)
    }
    lines.append(Line(text: music(status), rank: .unit))
    if let recording = RecordingLine.text(status) {
      lines.append(Line(text: recording, rank: .output, colour: .red))
    }
    return lines
  }

  /// Returns tempo, transport and song.
  private static func music(_ status: EngineSnapshot) -> String {
    let tempo = decimal(status.tempo)
    let beats = tempo.hasSuffix(".0") ? String(tempo.dropLast(2)) : tempo
    let state = status.transport.isRolling ? "rolls" : "stopped"
    return "\(beats) bpm   transport \(state) at \(clock(status.transport.seconds))"
      + (status.song.map { "   song \($0)" } ?? "")
  }

  private static func text(_ unit: EngineSnapshot.UnitTime, isAway: Bool) -> String {
    let share = decimal(isAway ? 0 : unit.share * 100).padded(to: 6, left: true)
    let peak = Decibels.text(isAway ? 0 : unit.peak).padded(to: 6, left: true)
    return "\(share) %  \(peak) dB\(unit.condition.map { "  \($0)" } ?? "")"
      + "  \(decimal(Double(unit.mean) / 1000)) µs, at most \(decimal(Double(unit.maximum) / 1000))"
  }

  /// Returns a meter from -60 dB to full scale, followed by the peak in dB and the clip mark.
  private static func bar(_ peak: Float, clips: Bool, width: Int) -> String {
    let decibels = Decibels.of(peak)
    let cells = max(6, min(width, 48))
    let full = Int((min(max(decibels + 60, 0), 60) / 60 * Double(cells)).rounded())
    return String(repeating: "█", count: full) + String(repeating: "·", count: cells - full)
      + " \(Decibels.text(peak).padded(to: 5, left: true)) dB" + (clips ? " clips" : "")
  }

  /// Returns a time, in seconds, as minutes and seconds: `1:30` for 90 seconds.
  static func clock(_ time: Double) -> String {
    let seconds = Int(time) % 60
    return "\(Int(time) / 60):\(seconds < 10 ? "0" : "")\(seconds)"
  }

  /// Returns a number with one decimal; “?” for infinity and NaN.
  static func decimal(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths.isFinite ? "\(tenths)" : "?"
  }

  /// Returns the name, or the beginning and the end of a name longer than `count`: "guitar-l…-echo".
  private static func shortened(_ name: String, _ count: Int) -> String {
    guard name.count > count, count > 1 else { return name }
    return "\(name.prefix(count / 2))…\(name.suffix(count - 1 - count / 2))"
  }
}
