import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The handler of requests for the page's files, which contain no secrets.
final class FileHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let server: PageServer
  private var head: HTTPRequestHead?

  init(_ server: PageServer) { self.server = server }

  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "media-src 'self'", "frame-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static let headers: HTTPHeaders = [
    "content-security-policy": policy, "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer", "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin", "cache-control": "no-cache",
  ]

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: context.close(promise: nil)
    case .end:
      if let head { answer(head, context) }
      head = nil
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard server.addresses.allows(host: head.headers.first(name: "host")) else {
      return send(.misdirectedRequest, "this name does not belong to the page", head, context)
    }
    guard head.method == .GET || head.method == .HEAD else {
      return send(.methodNotAllowed, "only GET", head, context)
    }
    let path = String(head.uri.prefix { $0 != "?" })
    if path == "/socket" { return send(.forbidden, "only the page connects here", head, context) }
    if let (unit, name) = server.views.parts(of: path) {
      let headers = viewHeaders(host: head.headers.first(name: "host") ?? "")
      server.views.file(unit, name, on: context.eventLoop).assumeIsolated().whenSuccess { file in
        guard context.channel.isActive else { return }
        guard let file else { return self.send(.notFound, "there is no such view", head, context) }
        self.send(.ok, file, headers, head, context)
      }
      return
    }
    // A view is never shown with the page's rights.
    guard !path.hasPrefix("/views/"), let file = server.files[path] else {
      return send(.notFound, "there is no \(path)", head, context)
    }
    send(.ok, file, Self.headers, head, context)
  }

  /// Returns the headers of a unit's view. The view has an origin of its own, which 'self' does not match, and may
  /// load only its own files.
  private func viewHeaders(host: String) -> HTTPHeaders {
    let own = "\(server.addresses.scheme)://\(host)"
    let policy = [
      "sandbox allow-scripts", "default-src 'none'", "script-src \(own)", "style-src \(own)",
      "img-src \(own) data:", "font-src \(own)", "base-uri 'none'", "form-action 'none'",
      "frame-ancestors \(own)",
    ].joined(separator: "; ")
    return [
      "content-security-policy": policy, "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer", "access-control-allow-origin": "*",
      "cache-control": "no-cache",
    ]
  }

  private func send(
    _ status: HTTPResponseStatus, _ reason: String, _ head: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    let file = PageFiles.File(
      contents: ByteBuffer(string: "\(reason)\n"), type: "text/plain; charset=utf-8")
    send(status, file, Self.headers, head, context)
  }

  private func send(
    _ status: HTTPResponseStatus, _ file: PageFiles.File, _ headers: HTTPHeaders,
    _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    var headers = headers
    headers.add(name: "content-type", value: file.type)
    headers.add(name: "content-length", value: "\(file.contents.readableBytes)")
    let response = HTTPResponseHead(version: head.version, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(file.contents))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    if !head.isKeepAlive || status != .ok { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The request itself is received next, and answered.
    if error as? NIOWebSocketUpgradeError == .unsupportedWebSocketTarget { return }
    context.close(promise: nil)
  }
}
