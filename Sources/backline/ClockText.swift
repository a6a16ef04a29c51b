/// A time in minutes and seconds.
enum ClockText {
  /// `1:30` for 90 seconds.
  static func of(_ time: Double) -> String {
    let whole = Int(time)
    let seconds = whole % 60
    return "\(whole / 60):\(seconds < 10 ? "0" : "")\(seconds)"
  }
}
