import RackEngine

/// A recording that is under way, in a line.
enum RecordingLine {
  static func text(_ recording: EngineSnapshot.Recording) -> String {
    let whole = Int(recording.length)
    let seconds = whole % 60
    let time = "\(whole / 60):\(seconds < 10 ? "0" : "")\(seconds)"
    let channels = recording.channels == 1 ? "1 channel" : "\(recording.channels) channels"
    let file = recording.file.split(separator: "/").last.map(String.init) ?? recording.file
    var text = "recording \(file)   \(time)   \(channels)   drop-outs \(recording.dropOuts)"
    if recording.lost > 0 {
      text += " (\(Int((recording.lost * 1000).rounded(.up))) ms)"
    }
    return text
  }
}
