import Documents
import FoundationEssentials
import NIOCore
import NIOWebSocket

/// The WebSocket of a page, and its two lanes to the control socket.
///
/// The first message is `{"key": …}` or `{"token": …}`; its answer is `{"token": …, "role": …}`. Every other
/// message is a time and a request: `12.345 {"id":1,"command":"list"}`. The time is that of the page's clock, in
/// seconds. Slow requests have a `!` behind the time, and a lane of their own, so that a knob does not wait for a
/// rack to load. Answers and events are the control socket's lines. A `DeviceRequest` is answered here, and
/// `{"event":"devices"}` reports that the devices have changed.
final class PageConnection: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let server: PageServer
  private let browser: String
  private var device: PageKeys.Device?
  /// The lanes by number: 0 for requests that are answered at once, 1 for slow requests.
  private var lanes: [Int: any Channel] = [:]
  /// The rack's first line, until both lanes are open.
  private var greeting: ByteBuffer?
  private var hasEnded = false
  private var clock = PageClock()
  private var budget = MessageBudget()

  /// The close codes of the WebSocket, which the page knows.
  private enum End: UInt16 {
    case refused = 4001
    case rackHasEnded = 4002
    case tooMany = 4003
    case wrong = 4004
  }

  private struct Hello: Decodable {
    var key: String?
    var token: String?
  }

  /// The members of a request that decide whether this process or the rack answers.
  private struct Asked: Decodable {
    var id: Int?
    var command: String
  }

  /// The timeout for the first message.
  private static let timeout = TimeAmount.seconds(10)

  /// - Parameter browser: the readable name of the browser.
  init(_ server: PageServer, browser: String) { (self.server, self.browser) = (server, browser) }

  func handlerAdded(context: ChannelHandlerContext) {
    let page = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: Self.timeout) {
      let (page, context) = page.value
      if page.device == nil { context.close(promise: nil) }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    let content = frame.unmaskedData
    guard !hasEnded else { return }
    guard budget.admit() else { return end(.tooMany, "too many messages", context) }
    switch frame.opcode {
    case .text:
      if device == nil { greet(content, context) } else { pass(content, context) }
    case .ping:
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: content)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .connectionClose: context.close(promise: nil)
    case .pong: break
    default: end(.wrong, "only text", context)
    }
  }

  private func greet(_ content: ByteBuffer, _ context: ChannelHandlerContext) {
    let hello = try? JSONDecoder().decode(Hello.self, from: Data(content.readableBytesView))
    let device: PageKeys.Device
    do { device = try self.device(hello) } catch { return end(.refused, "\(error)", context) }
    guard server.enter(context.channel, device: device.id) else {
      return end(.tooMany, "too many pages", context)
    }
    self.device = device
    struct Welcome: Encodable { var token, role, views: String }
    let welcome = Welcome(
      token: device.token, role: device.role.rawValue, views: server.views.secret)
    send(ByteBuffer(bytes: (try? JSONEncoder().encode(welcome)) ?? Data()), context)
    openLanes(context)
  }

  private func device(_ hello: Hello?) throws(Refusal) -> PageKeys.Device {
    if let key = hello?.key {
      if let device = try server.keys.exchange(key: key, name: browser) { return device }
      throw Refusal("the link is used up or too old; backline page prints another")
    }
    if let device = hello?.token.flatMap(server.keys.device(token:)) { return device }
    throw Refusal("this browser is not known, or was revoked; backline page prints a link")
  }

  private func openLanes(_ context: ChannelHandlerContext) {
    let page = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let role = device?.role ?? .stage
    for isSlow in [false, true] {
      var hasGreeted = false
      let lane = ControlLane.open(
        server.socket, for: role, on: context.eventLoop,
        receive: { line in
          // Each lane is greeted; the page gets the first greeting once both lanes are open.
          if hasGreeted {
            page.value.0.send(line, page.value.1)
          } else if !isSlow {
            page.value.0.greeting = line
            page.value.0.sendGreeting(page.value.1)
          }
          hasGreeted = true
        },
        // Stops reading from the page while the rack does not read.
        isWritable: {
          let (page, context) = page.value
          let mayRead = $0 && page.lanes.values.allSatisfy(\.isWritable)
          _ = context.channel.setOption(.autoRead, value: mayRead)
        },
        end: { page.value.0.end(.rackHasEnded, "the rack has ended", page.value.1) })
      lane.assumeIsolated().whenComplete { result in
        let (page, context) = page.value
        switch result {
        case .success(let channel) where context.channel.isActive:
          page.lanes[isSlow ? 1 : 0] = channel
          page.sendGreeting(context)
        case .success(let channel): channel.close(promise: nil)
        case .failure: page.end(.rackHasEnded, "the rack has ended", context)
        }
      }
    }
  }

  private func sendGreeting(_ context: ChannelHandlerContext) {
    guard lanes.count == 2, let greeting else { return }
    self.greeting = nil
    send(greeting, context)
  }

  /// Passes a request to the rack with its age, or answers a `DeviceRequest`.
  private func pass(_ content: ByteBuffer, _ context: ChannelHandlerContext) {
    let bytes = content.readableBytesView
    guard let space = bytes.firstIndex(of: UInt8(ascii: " ")), lanes.count == 2,
      bytes[(space + 1)...].first == UInt8(ascii: "{"), !bytes.contains(UInt8(ascii: "\n"))
    else { return end(.wrong, "a message is a time and a request", context) }
    var time = String(decoding: bytes[..<space], as: UTF8.self)
    let isSlow = time.last == "!"
    if isSlow { time.removeLast() }
    guard let sent = Double(time) else { return end(.wrong, "“\(time)” is no time", context) }
    let request = bytes[(space + 1)...]
    let asked = try? JSONDecoder().decode(Asked.self, from: Data(request))
    if let device, let own = DeviceRequest.Command(rawValue: asked?.command ?? "") {
      guard device.role == .edit else {
        let id = asked?.id.map { "\($0)" } ?? "null"
        let reason = "this device plays and does not edit"
        return send(ByteBuffer(string: #"{"id":\#(id),"error":"\#(reason)"}"#), context)
      }
      guard let request = try? JSONDecoder().decode(DeviceRequest.self, from: Data(request)) else {
        return end(.wrong, "\(own.rawValue) takes a device or a role", context)
      }
      send(request.answer(server, to: device), context)
      // The answer is sent first, as a device may revoke itself.
      if own == .revoke { server.compareDevices() }
      return
    }
    var line = ByteBuffer(string: #"{"age":\#(clock.age(ofMessageSent: sent)),"#)
    line.writeBytes(request.dropFirst())
    line.writeInteger(UInt8(ascii: "\n"))
    lanes[isSlow ? 1 : 0]?.writeAndFlush(line, promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event as? PageServer.DeviceEvent {
    case .revoked: end(.refused, "this device was revoked", context)
    case .listChanged where device?.role == .edit:
      send(ByteBuffer(string: #"{"event":"devices"}"#), context)
    case .listChanged: break
    case nil: context.fireUserInboundEventTriggered(event)
    }
  }

  private func send(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
    guard !hasEnded else { return }
    let frame = WebSocketFrame(fin: true, opcode: .text, data: line)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  /// Stops reading from the lanes while the page does not read. The control socket drops such a peer in the end.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    for lane in lanes.values {
      _ = lane.setOption(.autoRead, value: context.channel.isWritable)
    }
  }

  private func end(_ end: End, _ reason: String, _ context: ChannelHandlerContext) {
    guard context.channel.isActive, !hasEnded else { return }
    hasEnded = true
    var data = ByteBuffer()
    data.write(webSocketErrorCode: WebSocketErrorCode(codeNumber: Int(end.rawValue)))
    data.writeString(reason)
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in channel.close(promise: nil) }
    // A page that does not read gets no close frame.
    context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    for lane in lanes.values { lane.close(promise: nil) }
    server.leave(context.channel)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
