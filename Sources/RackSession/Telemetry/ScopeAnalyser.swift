/// An oscilloscope's picture of two channels of sound.
public struct ScopePicture: Sendable, Codable, Equatable {
  /// The duration of the whole picture, in seconds.
  public var duration: Double
  /// The lowest and the highest sample of each column, alternating; full scale is 1.
  public var left, right: [Float]
  /// Whether the picture starts where the left channel rises through zero; otherwise the scope runs freely.
  public var isTriggered: Bool
}

/// An oscilloscope whose picture of a periodic sound stands still.
///
/// The trigger is a rise of the left channel through zero after a sample below -`hysteresis`. Without a trigger for
/// 100 ms the scope runs freely.
struct ScopeAnalyser {
  private static let columns = 240
  private static let duration = 0.02
  private static let freeRunTime = 0.1
  private static let hysteresis: Float = 0.003

  private let sampleRate: Double
  private var sound: [SIMD2<Float>] = []
  private var frames: Int { Int(Self.duration * sampleRate) }

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// Adds sound.
  ///
  /// - Parameter sound: the frames since the last call, left and right.
  /// - Returns: the newest picture; nil until there is sound for a whole picture.
  mutating func add(_ sound: [SIMD2<Float>]) -> ScopePicture? {
    self.sound = (self.sound + sound).suffix(frames + Int(Self.freeRunTime * sampleRate))
    guard self.sound.count >= frames else { return nil }
    let trigger = lastTrigger()
    let start = trigger ?? self.sound.count - frames
    return ScopePicture(
      duration: Self.duration, left: columns(from: start, \.x), right: columns(from: start, \.y),
      isTriggered: trigger != nil)
  }

  /// Returns the index of the newest trigger with enough sound for a whole picture; nil if there is none.
  private func lastTrigger() -> Int? {
    var isArmed = false
    var found: Int?
    for index in 0...(sound.count - frames) {
      let value = sound[index].x
      if value < -Self.hysteresis { isArmed = true }
      if isArmed, value >= 0 { (found, isArmed) = (index, false) }
    }
    return found
  }

  private func columns(from start: Int, _ channel: KeyPath<SIMD2<Float>, Float>) -> [Float] {
    (0..<Self.columns).flatMap { column in
      let first = start + column * frames / Self.columns
      let end = max(first + 1, start + (column + 1) * frames / Self.columns)
      let values = sound[first..<end].lazy.map { $0[keyPath: channel] }
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      return [low.rounded(toPart: 1000), high.rounded(toPart: 1000)]
    }
  }
}
