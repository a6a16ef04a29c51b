import AudioUnits
import Documents
import RackModel

extension Engine {
  /// Records from the next cycle on, until `stopRecording` or the end of the server or the engine; edits
  /// do not end the recording. Returns a sentence with the channels and the file.
  ///
  /// - Throws: `Refusal`, `RackError` or `SoundFileError`, with no file left behind.
  public func startRecording(_ request: RecordingRequest) async throws -> String {
    await changes.lock()
    defer { changes.unlock() }
    if let recording = recorder.recording {
      throw Refusal("\(recording.request.path) is being recorded; stop that first")
    }
    guard server.isPlaying else {
      throw Refusal("the JACK server is away, and nothing plays that could be recorded")
    }
    return try await startRecording(now: request)
  }

  /// Completes the recorded file; returns a sentence with its length.
  ///
  /// - Throws: `Refusal` if nothing is recorded, `SoundFileError` if the file could not be written to its end.
  public func stopRecording() async throws -> String {
    await changes.lock()
    defer { changes.unlock() }
    if case .interrupted = recorder.state {
      recorder.state = .idle
      return "nothing is recorded when the JACK server is back"
    }
    guard let recording = recorder.recording else {
      let last = snapshot.lastRecording.flatMap { $0.reason == nil ? nil : "; \($0)" } ?? ""
      throw Refusal("nothing is being recorded\(last)")
    }
    guard let rack, kernel.present != nil else { throw Refusal("nothing plays") }
    recorder.state = .idle
    // Without cycles the graph stays, but nothing is recorded either.
    do {
      try await send(rack, rack.wiring())
    } catch {
      report(.warning("\(error)"))
    }
    let isLeft = await isLeft(recording)
    if isLeft { kernel.lastRecording = nil }
    do {
      try await complete(recording, isLeft: isLeft)
    } catch {
      reportEnd(of: recording, because: error)
      throw error
    }
    return reportEnd(of: recording)
  }

  /// Starts a recording, while `changes` is locked and there is a server.
  private func startRecording(
    now request: RecordingRequest, isResumed: Bool = false
  ) async throws -> String {
    guard let rack else { throw RackError("nothing plays") }
    let channels = try rack.plan.recordedChannels(of: request.sources)
    let new = try Recording(request, of: channels, sampleRate: snapshot.sampleRate)
    recorder.state = .recording(new)
    kernel.lastRecording = new
    do {
      try await send(rack, rack.wiring())
    } catch {
      recorder.state = .idle
      new.discard()
      throw error
    }
    let event = EngineEvent.recordingStarted(
      file: request.path, channels: channels.count, isResumed: isResumed)
    report(event)
    return "\(event)"
  }

  /// Waits until no graph records any more; returns false on timeout.
  private func isLeft(_ recording: Recording) async -> Bool {
    await wait { !self.kernel.graphs.values.contains { $0.recording === recording } }
  }

  /// Completes the recording, when nothing plays any more.
  func endRecording(isLeft: Bool = true) async {
    guard let recording = recorder.recording else { return }
    recorder.state = .idle
    await finish(recording, isLeft: isLeft)
  }

  func finish(_ recording: Recording, isLeft: Bool) async {
    do {
      try await complete(recording, isLeft: isLeft)
      reportEnd(of: recording)
    } catch {
      reportEnd(of: recording, because: error)
    }
  }

  private func complete(_ recording: Recording, isLeft: Bool) async throws {
    await recorder.completions.lock()
    defer { recorder.completions.unlock() }
    if let dropOuts = recording.popDropOuts() { report(.warning(dropOuts)) }
    try await recording.finish(isLeft: isLeft)
  }

  /// Returns when all recorded files are complete.
  func waitForCompletions() async {
    await recorder.completions.lock()
    recorder.completions.unlock()
  }

  /// Reports the end of a recording; returns the sentence reported.
  @discardableResult
  private func reportEnd(of recording: Recording, because failure: (any Error)? = nil) -> String {
    let path = recording.request.path
    // Leave out the path at the start, which the report has already.
    let reason = failure.map { failure in
      let text = "\(failure)"
      return text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text
    }
    let ended = EngineSnapshot.EndedRecording(
      file: path, length: recording.writtenLength, dropOuts: recording.dropOuts, reason: reason)
    snapshot.lastRecording = ended
    report(.recordingEnded(ended))
    return "\(ended)"
  }

  /// Removes and returns a recording of another sample rate than JACK's, which ends with the next graph.
  func popRecordingOfAnotherRate() -> Recording? {
    guard let former = recorder.recording, former.sampleRate != snapshot.sampleRate else {
      return nil
    }
    recorder.state = .idle
    return former
  }

  /// Completes a recording once its graphs are retired, and continues it in the next file.
  func continueRecording(after former: Recording) async {
    await finish(former, isLeft: await isLeft(former))
    recorder.state = .interrupted(next: former.request.next())
    await resumeRecording()
  }

  /// Continues the recording that the end of the server interrupted, in the next file.
  func resumeRecording() async {
    guard case .interrupted(let request) = recorder.state else { return }
    recorder.state = .idle
    do {
      _ = try await startRecording(now: request, isResumed: true)
    } catch {
      report(.warning("the recording does not continue: \(error)"))
    }
  }

  /// Ends a recording that cannot be written any more.
  func endFailedRecording() async {
    guard let recording = recorder.recording, let failure = recording.failure else { return }
    await changes.lock()
    defer { changes.unlock() }
    guard recorder.recording === recording, let rack, server.isPlaying else { return }
    recorder.state = .idle
    do {
      try await send(rack, rack.wiring())
      if await isLeft(recording) { kernel.lastRecording = nil }
      reportEnd(of: recording, because: failure)
    } catch {
      recorder.state = .recording(recording)
    }
  }

  /// Warns of sources of the recording that a new plan does not have.
  func reportMissingSources(in plan: Plan, before: Plan?) {
    guard let recording = recorder.recording, let before else { return }
    let known = recording.missingSources(in: before)
    for source in recording.missingSources(in: plan) where !known.contains(source) {
      report(.warning(source.sentence(of: recording.request.path)))
    }
  }
}
