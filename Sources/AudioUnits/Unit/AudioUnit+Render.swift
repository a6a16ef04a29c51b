import CKernel

/// Renders a standalone unit from C code on a real-time thread: `bl_render_block_render` of
/// `kernel/render_block.h` with this pointer.
///
/// Valid until the unit's render resources are deallocated; used by one thread at a time.
///
/// Unchecked because of the pointer: its owner renders with it on one thread at a time.
public struct RenderBlock: @unchecked Sendable {
  public let pointer: OpaquePointer
}

/// A function called before and after each cycle of each output bus, on the render thread: a C
/// function, BL_NONBLOCKING. Gets the context, flags (BL_RENDER_BEFORE or BL_RENDER_AFTER among
/// them), timestamp, frames and bus.
public typealias RenderObserver =
  @convention(c) (
    UnsafeMutableRawPointer?, UInt32, UnsafePointer<bl_timestamp>?, UInt32, UInt32
  ) -> Void

/// Identifies a render observer, to remove it. No two observers of a process ever have the same token.
public struct RenderObserverToken: Sendable, Hashable {
  let number: UInt64
}

extension AudioUnit {
  /// The render block; nil without render resources and for a unit of a rack.
  public var renderBlock: RenderBlock? {
    state.withLock { $0.resources?.block }.map { RenderBlock(pointer: $0.pointer) }
  }

  /// Renders `frames` frames of an output bus from frame `sampleTime` on, for callers that may wait.
  ///
  /// `output` has the bus's channels; a null pointer asks for the unit's own memory, valid until the
  /// next cycle. Calls with the same time are one cycle. `pullInput` is called once a cycle for each
  /// enabled input bus. A unit without any output bus (a MIDI processor) is rendered as bus 0, without
  /// `output`. Call it on one thread at a time, and not together with `renderBlock`.
  ///
  /// Waits for a unit that runs in a process of its own, unless `setRenderTimeout` limits that.
  ///
  /// - Throws: `AudioUnitError` without render resources, if an argument is out of range, or if the
  ///   unit's process does not answer; or the error that `pullInput` threw.
  public func render(
    flags: UInt32 = 0, at sampleTime: Int64, frames: Int, bus: Int = 0,
    output: UnsafeMutablePointer<bl_buffers>? = nil,
    pullInput: PullInputBlock = { _, _, _, _, _ in .noConnection }
  ) throws {
    let pullError = try renderCycle(
      flags: flags, at: sampleTime, frames: frames, bus: bus, output: output, pullInput: pullInput)
    if let pullError { throw pullError }
  }

  /// Renders a cycle; returns the error that `pullInput` threw.
  func renderCycle(
    flags: UInt32 = 0, at sampleTime: Int64, frames: Int, bus: Int,
    output: UnsafeMutablePointer<bl_buffers>?, pullInput: PullInputBlock
  ) throws(AudioUnitError) -> (any Error)? {
    guard let block = renderBlock else { throw error("its render resources are not allocated") }
    try check(sampleTime: sampleTime)
    guard (0...maximumFramesToRender).contains(frames) else {
      throw error("\(frames) frames: a cycle has at most \(maximumFramesToRender)")
    }
    guard bus >= 0, let bus = UInt32(exactly: bus) else {
      throw error("it has no output bus \(bus)")
    }
    let waits = state.withLock { !$0.hasRenderTimeout }
    var flags = flags
    if isRenderingOffline { flags |= UInt32(BL_RENDER_OFFLINE) }
    if waits { flags |= UInt32(BL_RENDER_MAY_WAIT) }
    if waits { waitUntilReady(frames: frames) }
    let unansweredBefore = unansweredCount
    var timestamp = bl_timestamp(sample_time: sampleTime)
    let (status, pullError) = withPull(pullInput) { pull, context in
      bl_render_block_render(
        block.pointer, flags, &timestamp, UInt32(frames), bus, output, pull, context)
    }
    applyRenderChanges()
    if let pullError { return pullError }
    if status != BL_OK { throw error(reason(status, bus: bus)) }
    if waits, unansweredCount != unansweredBefore {
      throw error("its process did not answer; the input was passed through")
    }
    return nil
  }

  /// The number of cycles that the unit's process has not answered; 0 for a unit in this process.
  private var unansweredCount: Int {
    processStatistics.map { $0.late + $0.absent } ?? 0
  }

  /// Adds a function that the render thread calls before and after each cycle; `context` is passed
  /// with each call.
  ///
  /// - Throws: `AudioUnitError` if there are 16 already.
  public func token(
    byAddingRenderObserver observer: @escaping RenderObserver,
    context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) -> RenderObserverToken {
    let number = controlLock.withLock { _ in
      bl_render_observers_add(observers.pointer, observer, context)
    }
    guard number > 0 else {
      throw error("it has \(BL_MOST_RENDER_OBSERVERS) render observers, the most there can be")
    }
    return RenderObserverToken(number: number)
  }

  /// Removes an observer, which is not called any more once this returns. Do not call it from the
  /// observer itself. Does nothing for the token of another unit's observer or of one that was removed.
  public func removeRenderObserver(_ token: RenderObserverToken) {
    controlLock.withLock { _ in bl_render_observers_remove(observers.pointer, token.number) }
  }

  private func withPull(
    _ pullInput: PullInputBlock,
    _ body: (bl_pull_input?, UnsafeMutableRawPointer?) -> bl_status
  ) -> (bl_status, (any Error)?) {
    withoutActuallyEscaping(pullInput) { pullInput in
      var box = PullBox(pull: pullInput)
      let status = withUnsafeMutablePointer(to: &box) { box in
        body(
          { context, flags, timestamp, frames, bus, input in
            guard let context, let timestamp, let input else {
              return bl_status(BL_ERROR_NO_CONNECTION)
            }
            return context.assumingMemoryBound(to: PullBox.self).pointee.call(
              flags, timestamp.pointee.sample_time, Int(frames), Int(bus), input)
          }, box)
      }
      return (status, box.error)
    }
  }

  private struct PullBox {
    let pull: PullInputBlock
    var error: (any Error)?

    mutating func call(
      _ flags: UInt32, _ sampleTime: Int64, _ frames: Int, _ bus: Int,
      _ input: UnsafeMutablePointer<bl_buffers>
    ) -> bl_status {
      do {
        return try pull(flags, sampleTime, frames, bus, input).rawValue
      } catch {
        self.error = error
        return bl_status(BL_ERROR_CANNOT_RENDER)
      }
    }
  }

  private func reason(_ status: bl_status, bus: UInt32) -> String {
    switch Int(status) {
    case Int(BL_ERROR_NO_SUCH_ELEMENT): "it has no output bus \(bus)"
    case Int(BL_ERROR_FORMAT_NOT_SUPPORTED): "output bus \(bus) has another number of channels"
    default: "its pull block answered with status \(status)"
    }
  }
}
