import CUnit

/// The result of a pull block.
public struct RenderStatus: RawRepresentable, Sendable, Hashable {
  /// One of the BL_ERROR_… codes, or BL_OK.
  public let rawValue: bl_status
  public init(rawValue: bl_status) { self.rawValue = rawValue }

  /// The input has been filled.
  public static let ok = RenderStatus(rawValue: bl_status(BL_OK))
  /// Nothing is connected: the input is silent.
  public static let noConnection = RenderStatus(rawValue: bl_status(BL_ERROR_NO_CONNECTION))
  /// The input cannot be rendered: the cycle ends with an error.
  public static let cannotRender = RenderStatus(rawValue: bl_status(BL_ERROR_CANNOT_RENDER))
}

/// Renders an input bus for one cycle: fills the given buffers, or replaces their pointers with others
/// that stay valid to the end of the cycle.
///
/// Gets flags, sample time, number of frames, input bus and buffers. An error that it throws ends the
/// cycle, and `render` throws it.
public typealias PullInputBlock = (
  _ flags: UInt32, _ sampleTime: Int64, _ frames: Int, _ bus: Int,
  _ input: UnsafeMutablePointer<bl_buffers>
) throws -> RenderStatus
