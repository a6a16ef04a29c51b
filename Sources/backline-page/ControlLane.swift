import NIOCore
import NIOPosix

/// A connection to the control socket, line by line, which speaks for a device of the network.
final class ControlLane: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let role: PageRole
  private let receive: (ByteBuffer) -> Void
  private let isWritable: (Bool) -> Void
  private let end: () -> Void

  init(
    role: PageRole, receive: @escaping (ByteBuffer) -> Void, isWritable: @escaping (Bool) -> Void,
    end: @escaping () -> Void
  ) {
    (self.role, self.receive, self.isWritable, self.end) = (role, receive, isWritable, end)
  }

  private static let guest = ByteBuffer(string: #"{"id":"guest""#)

  func channelActive(context: ChannelHandlerContext) {
    var request = Self.guest
    request.writeString(#","command":"guest","access":"\#(role.rawValue)"}"# + "\n")
    context.writeAndFlush(wrapOutboundOut(request), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let line = unwrapInboundIn(data)
    guard !line.readableBytesView.starts(with: Self.guest.readableBytesView) else { return }
    receive(line)
  }
  func channelInactive(context: ChannelHandlerContext) { end() }
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    isWritable(context.channel.isWritable)
  }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Opens a lane of a device’s role on the page's event loop; the closures are called there.
  static func open(
    _ path: String, for role: PageRole, on loop: any EventLoop,
    receive: @escaping (ByteBuffer) -> Void,
    isWritable: @escaping (Bool) -> Void = { _ in }, end: @escaping () -> Void
  ) -> EventLoopFuture<any Channel> {
    let lane = NIOLoopBound(
      ControlLane(role: role, receive: receive, isWritable: isWritable, end: end), eventLoop: loop)
    return ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(LineDecoder()), lane.value)
        }
      }
      .connect(unixDomainSocketPath: path)
  }
}

/// Cuts a stream into lines, without their ends.
struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = ByteBuffer

  mutating func decode(
    context: ChannelHandlerContext, buffer: inout ByteBuffer
  ) throws -> DecodingState {
    guard let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else {
      return .needMoreData
    }
    let line = buffer.readSlice(length: end - buffer.readerIndex)
    buffer.moveReaderIndex(forwardBy: 1)
    if let line { context.fireChannelRead(wrapInboundOut(line)) }
    return .continue
  }
}
