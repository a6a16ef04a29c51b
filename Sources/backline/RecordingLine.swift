import Documents
import RackEngine

/// A line about a running recording, or about the last one if that ended with an error.
enum RecordingLine {
  /// Returns the line; nil without such a recording.
  static func text(_ status: EngineSnapshot) -> String? {
    status.recording.map(text) ?? status.lastRecording.flatMap { $0.reason == nil ? nil : "\($0)" }
  }

  private static func text(_ recording: EngineSnapshot.Recording) -> String {
    let time = StatusLines.clock(recording.length)
    let channels = recording.channels == 1 ? "1 channel" : "\(recording.channels) channels"
    var text =
      "recording \(FilePath.name(of: recording.file))   \(time)   \(channels)   drop-outs \(recording.dropOuts)"
    if recording.lost > 0 {
      text += " (\(Int((recording.lost * 1000).rounded(.up))) ms)"
    }
    return text
  }
}
