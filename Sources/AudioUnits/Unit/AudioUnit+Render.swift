import CKernel

/// Renders a unit of its own, for threads that must not wait: `bl_render_block_render` with this
/// pointer, from C.
///
/// Good until the unit's render resources are deallocated. Unchecked because of the pointer: whoever
/// has it renders with it on one thread at a time.
public struct RenderBlock: @unchecked Sendable {
  public let pointer: OpaquePointer
}

/// Fetches an input bus for a cycle: fills the memory offered, or replaces the pointers by others that
/// stay valid to the end of the cycle. Gets flags, sample time, frames, bus and buffers; answers
/// BL_OK, BL_ERROR_NO_CONNECTION for silence, or an error that ends the cycle.
public typealias PullInputBlock = (
  _ flags: UInt32, _ sampleTime: Int64, _ frames: Int, _ bus: Int,
  _ input: UnsafeMutablePointer<bl_buffers>
) -> bl_status

/// Called before and after each cycle of each output bus, on the render thread: a C function,
/// BL_NONBLOCKING. Gets the context, flags (BL_RENDER_BEFORE or BL_RENDER_AFTER among them),
/// timestamp, frames and bus.
public typealias RenderObserver =
  @convention(c) (
    UnsafeMutableRawPointer?, UInt32, UnsafePointer<bl_timestamp>?, UInt32, UInt32
  ) -> Void

/// Stands for one render observer, to remove it.
public struct RenderObserverToken: Sendable, Hashable {
  let place: Int32
}

extension AudioUnit {
  /// Nil without render resources and for a unit of a rack.
  public var renderBlock: RenderBlock? {
    state.withLock { $0.resources?.block }.map { RenderBlock(pointer: $0.pointer) }
  }

  /// Renders `frames` frames of an output bus from frame `sampleTime` on, where no time presses.
  ///
  /// `output` has the bus's channels; a null pointer asks for the unit's own memory, valid until the
  /// next cycle. Calls with one time are one cycle. `pullInput` is called once a cycle for each
  /// enabled input bus; nil stands for silence. A unit without any output bus (a MIDI processor) is
  /// rendered as bus 0, without `output`. On one thread at a time, and not together with
  /// `renderBlock`.
  ///
  /// - Throws: `AudioUnitError` with what the render block or `pullInput` answered.
  public func render(
    flags: UInt32 = 0, at sampleTime: Int64, frames: Int, bus: Int = 0,
    output: UnsafeMutablePointer<bl_buffers>? = nil, pullInput: PullInputBlock? = nil
  ) throws(AudioUnitError) {
    guard let block = renderBlock else { throw error("it is not ready to render") }
    let offline = isRenderingOffline ? UInt32(BL_RENDER_OFFLINE) : 0
    var timestamp = bl_timestamp(sample_time: sampleTime)
    let status = withPull(pullInput) { pull, context in
      bl_render_block_render(
        block.pointer, flags | offline, &timestamp, UInt32(frames), UInt32(bus), output, pull,
        context)
    }
    takeRenderChanges()
    if status != BL_OK { throw error(reason(status, frames: frames, bus: bus)) }
  }

  /// Adds a function that the render thread calls before and after each cycle; `context` comes back
  /// with each call.
  ///
  /// - Throws: `AudioUnitError` where there are 16 already.
  public func token(
    byAddingRenderObserver observer: @escaping RenderObserver,
    context: UnsafeMutableRawPointer? = nil
  ) throws(AudioUnitError) -> RenderObserverToken {
    let place = turn.withLock { _ in
      bl_render_observers_add(observers.pointer, observer, context)
    }
    guard place >= 0 else { throw error("it has as many render observers as it can have") }
    return RenderObserverToken(place: place)
  }

  /// Removes it; once this returns it is not called any more. Not from the observer itself.
  public func removeRenderObserver(_ token: RenderObserverToken) {
    turn.withLock { _ in bl_render_observers_remove(observers.pointer, token.place) }
  }

  private func withPull(
    _ pullInput: PullInputBlock?, _ body: (bl_pull_input?, UnsafeMutableRawPointer?) -> bl_status
  ) -> bl_status {
    guard let pullInput else { return body(nil, nil) }
    return withoutActuallyEscaping(pullInput) { pullInput in
      var box = PullBox(pull: pullInput)
      return withUnsafeMutablePointer(to: &box) { box in
        body(
          { context, flags, timestamp, frames, bus, input in
            guard let context, let timestamp, let input else {
              return bl_status(BL_ERROR_NO_CONNECTION)
            }
            return context.assumingMemoryBound(to: PullBox.self).pointee.pull(
              flags, timestamp.pointee.sample_time, Int(frames), Int(bus), input)
          }, box)
      }
    }
  }

  private struct PullBox {
    let pull: PullInputBlock
  }

  private func reason(_ status: bl_status, frames: Int, bus: Int) -> String {
    switch Int(status) {
    case Int(BL_ERROR_TOO_MANY_FRAMES):
      "\(frames) frames are more than \(maximumFramesToRender), its longest cycle"
    case Int(BL_ERROR_NO_SUCH_ELEMENT): "it has no output bus \(bus)"
    case Int(BL_ERROR_FORMAT_NOT_SUPPORTED): "output bus \(bus) has another number of channels"
    default: "its input answered with status \(status)"
    }
  }
}
