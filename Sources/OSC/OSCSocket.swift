import CLinux
import Dispatch
import Glibc

/// A non-blocking UDP socket; any thread may use it.
public final class OSCSocket: Sendable {
  /// The file descriptor to poll for incoming packets.
  public let descriptor: Int32

  /// Binds to an address of this machine; port 0 for any free port.
  ///
  /// - Throws: `OSCError` if the address does not belong to this machine, or the port is in use.
  public init(at endpoint: OSCEndpoint) throws(OSCError) {
    let descriptor = bl_datagram_socket(endpoint.family)
    guard descriptor >= 0 else { throw OSCError("socket", errno: errno) }
    guard endpoint.withAddress({ bind(descriptor, $0, $1) }) == 0 else {
      let error = OSCError("\(endpoint)", errno: errno)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The local address, at which the socket receives and from which it sends.
  public var endpoint: OSCEndpoint? { OSCEndpoint(of: descriptor) }

  /// The receive buffer's size, bytes; more than the longest datagram.
  private static let bufferSize = 65_536

  /// Returns the next datagram and its sender; nil if there is none.
  public func receive() -> (bytes: [UInt8], sender: OSCEndpoint)? {
    var sender = sockaddr_storage()
    // A refused datagram sent earlier leaves an error, behind which datagrams may wait.
    for _ in 0..<16 {
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      var isReceived = false
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, count in
        let size = withUnsafeMutablePointer(to: &sender) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
          }
        }
        isReceived = size >= 0
        count = max(size, 0)
      }
      if isReceived, let endpoint = OSCEndpoint(sender, length: length) { return (bytes, endpoint) }
      if !isReceived, errno == EAGAIN { return nil }
    }
    return nil
  }

  /// Calls `receive` on a queue whenever a datagram arrives, until the source is cancelled; retains
  /// the socket until then.
  public func reading(
    on queue: DispatchQueue, _ receive: @escaping @Sendable () -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: receive)
    source.setCancelHandler { withExtendedLifetime(self) {} }
    source.activate()
    return source
  }

  /// Sends a datagram; returns false if the system cannot accept it at once.
  @discardableResult
  public func send(_ bytes: [UInt8], to endpoint: OSCEndpoint) -> Bool {
    let sent = endpoint.withAddress {
      sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
    }
    return sent == bytes.count
  }
}
