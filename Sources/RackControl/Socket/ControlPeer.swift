import Dispatch
import Glibc

/// One connection of a control socket, on the queue of its server alone.
final class ControlPeer {
  /// Closed when the last of its holders is gone: the system may tell of it until then.
  final class Descriptor: Sendable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { Glibc.close(number) }
  }

  /// Bytes of the longest line that is taken.
  static let longestLine = 65_536
  /// Bytes that may wait for a peer to read them before it gets no more.
  static let mostWaiting = 1 << 20

  let descriptor: Descriptor
  /// What has come and has not been answered.
  private var input: [UInt8] = []
  /// What has not been taken yet.
  private var output: [UInt8] = []
  /// Is a line being answered? Then nothing is read: the next waits in the system's own buffer.
  var isAnswering = false
  /// The peer sends no more, or is not to.
  private(set) var hasEnded = false
  var subscriptions: [Task<Void, Never>] = []
  private let reading: any DispatchSourceRead
  private let writing: any DispatchSourceWrite
  private var isReading = false
  private var isWriting = false

  init(
    _ descriptor: Descriptor, queue: DispatchQueue, read: @escaping @Sendable () -> Void,
    write: @escaping @Sendable () -> Void
  ) {
    self.descriptor = descriptor
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
    writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue)
    reading.setEventHandler(handler: read)
    writing.setEventHandler(handler: write)
    for source in [reading, writing] as [any DispatchSourceProtocol] {
      source.setCancelHandler { withExtendedLifetime(descriptor) {} }
    }
  }

  var hasOutput: Bool { !output.isEmpty }
  var isSlow: Bool { output.count > Self.mostWaiting }

  /// Is there nothing left that could come from or go to the peer?
  var isDone: Bool { hasEnded && !isAnswering && !hasOutput && subscriptions.isEmpty }

  /// Takes what has come; false where the connection is broken.
  func receive() -> Bool {
    var block = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor.number, &block, block.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      input += block[..<count]
    } else if count == 0 {
      hasEnded = true
      // What stands at the end is a line, too.
      if !input.isEmpty { input.append(UInt8(ascii: "\n")) }
    } else if errno != EAGAIN && errno != EINTR {
      return false
    }
    return true
  }

  enum Line {
    case whole([UInt8])
    /// Longer than is taken, whether or not it has ended.
    case tooLong
  }

  /// The next line, without its end; nil where there is none yet. Empty ones are passed over.
  func takeLine() -> Line? {
    while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(input[..<end])
      input.removeFirst(end + 1)
      if line.count > Self.longestLine { return .tooLong }
      if !line.allSatisfy(Self.isSpace) { return .whole(line) }
    }
    return input.count > Self.longestLine ? .tooLong : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Reads no more, tells of no changes, and forgets what has come.
  func end() {
    hasEnded = true
    input = []
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
  }

  /// Has the peer gone for good? Of one that sends no more and only listens, the system does not tell.
  var isGone: Bool {
    var look = pollfd(fd: descriptor.number, events: 0, revents: 0)
    return poll(&look, 1, 0) == 1 && Int32(look.revents) & (POLLHUP | POLLERR) != 0
  }

  /// Sends what the system takes at once and keeps the rest; false where the connection is broken.
  func send(_ bytes: [UInt8]) -> Bool {
    output += bytes
    return flush()
  }

  func flush() -> Bool {
    while !output.isEmpty {
      let count = Glibc.send(
        descriptor.number, output, output.count,
        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { break }
      guard count > 0 else { return false }
      output.removeFirst(count)
    }
    return true
  }

  /// Has the system tell of what can be gone on with, and of nothing else.
  func settle() {
    let wantsToRead = !hasEnded && !isAnswering && !isSlow
    if wantsToRead != isReading {
      if wantsToRead { reading.resume() } else { reading.suspend() }
      isReading = wantsToRead
    }
    if hasOutput != isWriting {
      if hasOutput { writing.resume() } else { writing.suspend() }
      isWriting = hasOutput
    }
  }

  /// Lets go of the connection; the peer is of no use after that.
  func close() {
    for subscription in subscriptions { subscription.cancel() }
    shutdown(descriptor.number, Int32(SHUT_RDWR))
    reading.cancel()
    writing.cancel()
    // A source that is suspended never ends.
    if !isReading { reading.resume() }
    if !isWriting { writing.resume() }
  }
}
