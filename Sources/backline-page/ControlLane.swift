import FoundationEssentials
import NIOCore
import NIOPosix

/// A connection to the control socket, line by line, with the rights of a device of the network.
final class ControlLane: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let role: PageRole
  private let receive: (ByteBuffer) -> Void
  private let isWritable: (Bool) -> Void
  private let end: () -> Void
  /// The promise that succeeds once the rack has limited the lane's rights; nothing is passed on before.
  private let isGuest: EventLoopPromise<Void>
  private var isKnown = false
  /// The lines received before that.
  private var early: [ByteBuffer] = []

  init(
    role: PageRole, isGuest: EventLoopPromise<Void>, receive: @escaping (ByteBuffer) -> Void,
    isWritable: @escaping (Bool) -> Void, end: @escaping () -> Void
  ) {
    (self.role, self.isGuest) = (role, isGuest)
    (self.receive, self.isWritable, self.end) = (receive, isWritable, end)
  }

  private struct Reply: Decodable {
    var id: String?
    var error: String?
  }

  func channelActive(context: ChannelHandlerContext) {
    let request = #"{"id":"guest","command":"guest","access":"\#(role.rawValue)"}"# + "\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let line = unwrapInboundIn(data)
    if isKnown { return receive(line) }
    let reply = try? JSONDecoder().decode(Reply.self, from: Data(line.readableBytesView))
    guard reply?.id == "guest" else { return early.append(line) }
    // A rack of another version may not know the command `guest`.
    guard reply?.error == nil else { return context.close(promise: nil) }
    isKnown = true
    isGuest.succeed()
    for line in early { receive(line) }
    early = []
  }

  func channelInactive(context: ChannelHandlerContext) {
    isGuest.fail(ChannelError.eof)
    end()
  }
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    isWritable(context.channel.isWritable)
  }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Opens a lane with the rights of a role on the page's event loop, where the closures are called.
  static func open(
    _ path: String, for role: PageRole, on loop: any EventLoop,
    receive: @escaping (ByteBuffer) -> Void,
    isWritable: @escaping (Bool) -> Void = { _ in }, end: @escaping () -> Void
  ) -> EventLoopFuture<any Channel> {
    let isGuest = loop.makePromise(of: Void.self)
    let lane = NIOLoopBound(
      ControlLane(
        role: role, isGuest: isGuest, receive: receive, isWritable: isWritable, end: end),
      eventLoop: loop)
    let channel = ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(LineDecoder()), lane.value)
        }
      }
      .connect(unixDomainSocketPath: path)
    channel.whenFailure(isGuest.fail)
    return channel.flatMap { channel in isGuest.futureResult.map { channel } }
  }
}

/// A decoder that splits a stream into lines, without their ends.
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
