import AudioUnits
import RackModel

extension Engine {
  /// Records from the next cycle on, until `stopRecording`, the end of the server or that of the
  /// engine; edits do not break it off. Answers what is recorded, in a few words.
  ///
  /// - Throws: `Refusal` or `RackError`, with no file left behind.
  public func startRecording(_ request: RecordingRequest) async throws -> String {
    await changes.lock()
    defer { changes.unlock() }
    if let recording {
      throw Refusal("\(recording.request.path) is being recorded; stop that first")
    }
    guard !snapshot.serverIsAway, !hasEnded else {
      throw Refusal("the JACK server is away, and nothing plays that could be recorded")
    }
    return try await beginRecording(request)
  }

  /// Ends the file, whole; answers how long it is, in a few words.
  ///
  /// - Throws: `Refusal` where nothing is recorded, `RackError` where the file could not be written to
  ///   its end.
  public func stopRecording() async throws -> String {
    await changes.lock()
    defer { changes.unlock() }
    if nextRecording != nil, recording == nil {
      nextRecording = nil
      return "nothing is recorded when the JACK server is back"
    }
    guard let recording else {
      let last = snapshot.lastRecording.flatMap { $0.reason == nil ? nil : "; \($0)" } ?? ""
      throw Refusal("nothing is being recorded\(last)")
    }
    guard let rack, presentGraph != nil else { throw Refusal("nothing plays") }
    self.recording = nil
    // Where no cycle comes to take it, there is nothing more to record either.
    do {
      try await send(rack, rack.wiring())
    } catch {
      continuation.yield(.warning("\(error)"))
    }
    let isLeft = await isLeft(recording)
    if isLeft { kernelOwner.lastRecording = nil }
    do {
      try await end(recording, isLeft: isLeft)
    } catch {
      tell(endOf: recording, because: error)
      throw error
    }
    return tell(endOf: recording)
  }

  /// In a turn of `changes`, while there is a server.
  private func beginRecording(
    _ request: RecordingRequest, isResumed: Bool = false
  ) async throws -> String {
    guard let rack else { throw RackError("nothing plays") }
    let channels = try rack.plan.recordedChannels(of: request.sources, in: catalogue)
    let new = try Recording(request, of: channels, sampleRate: snapshot.sampleRate)
    recording = new
    kernelOwner.lastRecording = new
    recordingTally = RecordingTally()
    do {
      try await send(rack, rack.wiring())
    } catch {
      recording = nil
      new.discard()
      throw error
    }
    let event = EngineEvent.recordingStarted(
      file: request.path, channels: channels.count, isResumed: isResumed)
    continuation.yield(event)
    return "\(event)"
  }

  /// Does no graph hold it any more?
  private func isLeft(_ recording: Recording) async -> Bool {
    await waits { !self.holdings.values.contains { $0.recording === recording } }
  }

  /// Ends what is recorded when nothing is played any more, and says so.
  func endRecording(isLeft: Bool = true) async {
    guard let recording else { return }
    self.recording = nil
    await finish(recording, isLeft: isLeft)
  }

  private func finish(_ recording: Recording, isLeft: Bool = true) async {
    do {
      try await end(recording, isLeft: isLeft)
      tell(endOf: recording)
    } catch {
      tell(endOf: recording, because: error)
    }
  }

  private func end(_ recording: Recording, isLeft: Bool) async throws {
    await endings.lock()
    defer { endings.unlock() }
    tell(dropOutsOf: recording)
    try await recording.finish(isLeft: isLeft)
  }

  /// Until the disk has what was recorded.
  func waitForEndings() async {
    await endings.lock()
    endings.unlock()
  }

  /// Answers what it tells.
  @discardableResult
  private func tell(endOf recording: Recording, because failure: (any Error)? = nil) -> String {
    let path = recording.request.path
    // The file is named once.
    let reason = failure.map { failure in
      let text = "\(failure)"
      return text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text
    }
    let ended = EngineSnapshot.EndedRecording(
      file: path, length: recording.writtenLength, dropOuts: recording.dropOuts, reason: reason)
    snapshot.lastRecording = ended
    continuation.yield(.recordingEnded(ended))
    return "\(ended)"
  }

  /// What is recorded at another rate than JACK's ends with the next graph.
  func leaveRecordingOfAnotherRate() -> Recording? {
    guard let former = recording, former.sampleRate != snapshot.sampleRate else { return nil }
    recording = nil
    return former
  }

  /// Ends a file, once its graphs have gone, and goes on in the next.
  func goOnRecording(after former: Recording) async {
    await finish(former, isLeft: await isLeft(former))
    nextRecording = former.request.next()
    await resumeRecording()
  }

  /// Goes on with what was recorded when the server went, in the next file.
  func resumeRecording() async {
    guard let request = nextRecording else { return }
    nextRecording = nil
    do {
      _ = try await beginRecording(request, isResumed: true)
    } catch {
      continuation.yield(.warning("recording does not go on: \(error)"))
    }
  }

  /// Tells what has become of the recording, once a second at most, and ends one that cannot go on.
  func watchRecording() async {
    guard let recording else { return }
    if let failure = recording.failure {
      await changes.lock()
      defer { changes.unlock() }
      guard self.recording === recording, let rack, !snapshot.serverIsAway else { return }
      self.recording = nil
      do {
        try await send(rack, rack.wiring())
        if await isLeft(recording) { kernelOwner.lastRecording = nil }
        tell(endOf: recording, because: failure)
      } catch {
        self.recording = recording
      }
      return
    }
    if let sentence = recordingTally.tell(
      count: recording.dropOuts, frames: recording.lostFrames, of: recording, at: .now)
    {
      continuation.yield(.warning(sentence))
    }
  }

  private func tell(dropOutsOf recording: Recording) {
    let sentence = recordingTally.tell(
      count: recording.dropOuts, frames: recording.lostFrames, of: recording, at: nil)
    if let sentence { continuation.yield(.warning(sentence)) }
  }

  /// Says what a new plan does not have any more of the recording's sources.
  func tellUnrecorded(_ plan: Plan, before: Plan?) {
    guard let recording, let before else { return }
    let known = recording.lacks(in: before)
    for lack in recording.lacks(in: plan) where !known.contains(lack) {
      continuation.yield(.warning(lack.sentence(of: recording.request.path)))
    }
  }
}
