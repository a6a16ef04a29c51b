import AsyncSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The HTTP server of files, for every client, and of WebSockets, for pages with a key or a token.
final class PageServer: Sendable {
  /// The path of the rack's control socket.
  let socket: String
  let files: PageFiles
  let keys: PageKeys
  let views: ViewFiles
  let addresses: PageAddresses
  private let state = Guarded(State())

  private struct State: Sendable {
    var connections = 0
    var pages: [ObjectIdentifier: OpenPage] = [:]
  }

  private struct OpenPage: Sendable {
    var device: String
    var channel: any Channel
  }

  /// An event of an open page's channel.
  enum DeviceEvent: Sendable {
    /// The page's own device may not connect any more.
    case revoked
    /// The list of devices, or of those that are connected, has changed.
    case listChanged
  }

  static let maximumPages = 16
  private static let maximumConnections = 128
  static let longestFrame = 16_384
  /// The timeout for the request that opens the WebSocket.
  private static let timeout = TimeAmount.seconds(20)

  init(socket: String, files: PageFiles, keys: PageKeys, addresses: PageAddresses) {
    (self.socket, self.files, self.keys, self.addresses) = (socket, files, keys, addresses)
    views = ViewFiles(files, socket: socket)
  }

  /// Serves a bound socket.
  func listen(on group: any EventLoopGroup, at socket: Int32) -> EventLoopFuture<any Channel> {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
      }
      .withBoundSocket(socket)
  }

  private func accept(_ channel: any Channel) throws {
    let count = state.withLock { state in
      state.connections += 1
      return state.connections
    }
    channel.closeFuture.whenComplete { _ in self.state.withLock { $0.connections -= 1 } }
    guard count <= Self.maximumConnections else { throw ChannelError.ioOnClosedChannel }
    let files = FileHandler(self)
    let pipeline = channel.pipeline.syncOperations
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: Self.longestFrame,
      shouldUpgrade: { channel, head in
        let isOurs =
          head.uri == "/socket" && self.addresses.allows(host: head.headers.first(name: "host"))
          && self.addresses.allows(origin: head.headers.first(name: "origin"))
        return channel.eventLoop.makeSucceededFuture(isOurs ? [:] : nil)
      },
      upgradePipelineHandler: { channel, head in
        let browser = BrowserName.of(userAgent: head.headers.first(name: "user-agent"))
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 4,
              maxAccumulatedFrameSize: Self.longestFrame), PageConnection(self, browser: browser))
        }
      })
    // A client that sends its request byte by byte cannot keep a connection open.
    let limit = channel.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
    try addresses.certificate?.addHandler(to: pipeline)
    let bound = NIOLoopBound(files, eventLoop: channel.eventLoop)
    try pipeline.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          limit.cancel()
          context.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
        }
      ))
    try pipeline.addHandler(files)
  }

  /// Adds a page of a device; returns false if there are `maximumPages` pages already.
  func enter(_ channel: any Channel, device: String) -> Bool {
    let isWelcome = state.withLock { state in
      guard state.pages.count < Self.maximumPages else { return false }
      state.pages[ObjectIdentifier(channel)] = OpenPage(device: device, channel: channel)
      return true
    }
    if isWelcome { compareDevices() }
    return isWelcome
  }

  func leave(_ channel: any Channel) {
    let page = state.withLock { $0.pages.removeValue(forKey: ObjectIdentifier(channel)) }
    if page != nil { compareDevices() }
  }

  var connectedDevices: Set<String> { Set(state.withLock(\.pages).values.map(\.device)) }

  /// Closes the pages of revoked devices, and reports to the others that the list has changed.
  func compareDevices() {
    let known = Set(keys.devices.map(\.id))
    for page in state.withLock(\.pages).values {
      let event = known.contains(page.device) ? DeviceEvent.listChanged : .revoked
      page.channel.pipeline.fireUserInboundEventTriggered(event)
    }
  }
}
