import CSystem
import Dispatch
import Glibc

/// A UDP socket; nothing about it waits, and it can be used from any thread.
public final class OSCSocket: Sendable {
  /// For whoever waits until something comes.
  public let descriptor: Int32

  /// Hears whoever sends to an address of this machine; port 0 for any that is free.
  ///
  /// - Throws: `OSCError` where the address is none of ours, or the port is taken.
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

  /// Where it is heard, and sends from.
  public var endpoint: OSCEndpoint? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return status == 0 ? OSCEndpoint(storage, length: length) : nil
  }

  /// More than the longest datagram.
  private static let room = 65_536

  /// The next datagram that has come, and who sent it; nil while there is none.
  public func receive() -> (bytes: [UInt8], sender: OSCEndpoint)? {
    var sender = sockaddr_storage()
    // One that was refused leaves an error behind, which is no end.
    for _ in 0..<16 {
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      var hasCome = false
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.room) { buffer, count in
        let size = withUnsafeMutablePointer(to: &sender) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
          }
        }
        hasCome = size >= 0
        count = max(size, 0)
      }
      if hasCome, let endpoint = OSCEndpoint(sender, length: length) { return (bytes, endpoint) }
      if !hasCome, errno == EAGAIN { return nil }
    }
    return nil
  }

  /// Has `receive` called whenever something has come, on a queue, until the source is cancelled; the
  /// socket lasts as long.
  public func reading(
    on queue: DispatchQueue, _ receive: @escaping @Sendable () -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: receive)
    source.setCancelHandler { withExtendedLifetime(self) {} }
    source.activate()
    return source
  }

  /// Sends a datagram, as far as the system takes it at once.
  @discardableResult
  public func send(_ bytes: [UInt8], to endpoint: OSCEndpoint) -> Bool {
    let sent = endpoint.withAddress {
      sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
    }
    return sent == bytes.count
  }
}
