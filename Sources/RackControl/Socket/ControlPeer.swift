import AsyncSupport
import Dispatch
import Glibc
import RackSession

/// A connection of the control socket. It is used only on its server's queue.
final class ControlPeer {
  /// A file descriptor that is closed with its last owner, as a dispatch source may use it until then.
  final class Descriptor: Sendable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { Glibc.close(number) }
  }

  /// The largest accepted length of a line, in bytes.
  static let longestLine = 65_536
  /// The largest number of bytes that wait to be sent; a peer with more counts as slow.
  static let maximumWaiting = 1 << 20

  let descriptor: Descriptor
  /// The peer as the session knows it.
  var identity: Peer
  /// The received bytes that are not yet read as lines.
  private var input = LineBuffer()
  /// The bytes that are not yet sent.
  private var output: [UInt8] = []
  /// Whether a line is being answered. Nothing is received meanwhile, so further lines wait in the system's buffer.
  var isAnswering = false
  /// Whether receiving from the peer has ended.
  private(set) var hasEnded = false
  var subscription: Task<Void, Never>?
  private var reading: SwitchedSource
  private var writing: SwitchedSource

  init(
    _ descriptor: Descriptor, _ identity: Peer, queue: DispatchQueue,
    read: @escaping @Sendable () -> Void, write: @escaping @Sendable () -> Void
  ) {
    (self.descriptor, self.identity) = (descriptor, identity)
    reading = SwitchedSource(
      DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue),
      keeping: descriptor, read)
    writing = SwitchedSource(
      DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue),
      keeping: descriptor, write)
  }

  var hasOutput: Bool { !output.isEmpty }
  var isSlow: Bool { output.count > Self.maximumWaiting }

  /// Whether nothing is left to be received from or sent to the peer.
  var isDone: Bool { hasEnded && !isAnswering && !hasOutput && (subscription?.isCancelled ?? true) }

  /// Receives available bytes without waiting; returns false if the connection is broken.
  func receive() -> Bool {
    var block = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor.number, &block, block.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      input.append(block[..<count])
    } else if count == 0 {
      hasEnded = true
      input.end()
    } else if errno != EAGAIN && errno != EINTR {
      return false
    }
    return true
  }

  enum Line {
    case whole([UInt8])
    /// A line longer than `longestLine`, complete or not.
    case tooLong
  }

  /// Removes and returns the next line, without its end; nil if none is complete. Skips empty lines.
  func popLine() -> Line? {
    while let line = input.pop() {
      if line.count > Self.longestLine { return .tooLong }
      if !line.allSatisfy(Self.isSpace) { return .whole(line) }
    }
    return input.count > Self.longestLine ? .tooLong : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Ends receiving, discards the received bytes, and cancels the subscription.
  func end() {
    hasEnded = true
    input.removeAll()
    subscription?.cancel()
  }

  /// Whether the peer has closed the connection. A peer that has closed only its sending half is not gone.
  var isGone: Bool {
    var look = pollfd(fd: descriptor.number, events: 0, revents: 0)
    return poll(&look, 1, 0) == 1 && Int32(look.revents) & (POLLHUP | POLLERR) != 0
  }

  /// Sends the bytes that the system accepts at once and keeps the rest; returns false if the connection is broken.
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

  /// Switches each source on if its events can be handled now, and off otherwise.
  func updateSources() {
    reading.turn(on: !hasEnded && !isAnswering && !isSlow)
    writing.turn(on: hasOutput)
  }

  /// Closes the connection; the peer cannot be used afterwards.
  func close() {
    subscription?.cancel()
    shutdown(descriptor.number, Int32(SHUT_RDWR))
    reading.cancel()
    writing.cancel()
  }
}
