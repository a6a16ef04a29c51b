/// Folds the drop-outs of a second into one sentence, since a disk that is too slow has many.
struct RecordingTally {
  private var told = (count: 0, frames: 0)
  private var nextTelling: ContinuousClock.Instant?

  /// What is to be told now, if anything, of so many drop-outs since the recording began; at once where
  /// there is no `now`.
  mutating func tell(
    count: Int, frames: Int, of recording: Recording, at now: ContinuousClock.Instant?
  ) -> String? {
    guard frames > told.frames else { return nil }
    if let now, let nextTelling, now < nextTelling { return nil }
    let milliseconds = Double(frames - told.frames) / recording.sampleRate * 1000
    told = (count, frames)
    nextTelling = now.map { $0 + .seconds(1) }
    return "the disk does not keep up: \(recording.request.path) has silence for"
      + " \(Int(milliseconds.rounded(.up))) ms; drop-outs so far: \(count)"
  }
}
