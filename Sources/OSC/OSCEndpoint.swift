import CLinux
import CLo
import Glibc

/// The sender or the destination of a datagram: an IP address and a port.
public struct OSCEndpoint: Sendable, Hashable, CustomStringConvertible {
  /// The socket address, a `sockaddr_in` or `sockaddr_in6`.
  private let address: [UInt8]

  init?(_ storage: sockaddr_storage, length: socklen_t) {
    guard length > 0, length <= MemoryLayout<sockaddr_storage>.size else { return nil }
    address = withUnsafeBytes(of: storage) { Array($0.prefix(Int(length))) }
  }

  /// Creates the endpoint of a host's name (its first address) or a numeric address; "*" for all
  /// addresses of this machine.
  ///
  /// May query the network to resolve a name.
  public init(host: String, port: UInt16) throws(OSCError) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    var status: Int32 = 0
    // Most OSC programs listen on IPv4 only, even if a name resolves to an IPv6 address first.
    for family in [AF_INET, AF_INET6] where found == nil {
      hints.ai_family = family
      status = getaddrinfo(host == "*" ? nil : host, "\(port)", &hints, &found)
    }
    guard status == 0, let first = found else {
      throw OSCError("\(host): \(String(cString: gai_strerror(status)))")
    }
    defer { freeaddrinfo(found) }
    address = Array(
      UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
  }

  /// Creates the endpoint of a URL such as `osc.udp://host:port/`.
  public init(url: String) throws(OSCError) {
    func part(_ text: UnsafeMutablePointer<CChar>?) -> String? {
      defer { free(text) }
      return text.map { String(cString: $0) }
    }
    guard lo_url_get_protocol_id(url) == LO_UDP, let host = part(lo_url_get_hostname(url)),
      let port = part(lo_url_get_port(url)).flatMap({ UInt16($0) })
    else { throw OSCError("it is not a URL such as osc.udp://localhost:9000/") }
    try self.init(host: host, port: port)
  }

  var family: Int32 { Int32(address.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }) }

  public var port: UInt16 { UInt16(address[2]) << 8 | UInt16(address[3]) }

  /// Whether only this machine can reach the address: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    let host = hostBytes
    if family == AF_INET { return host.first == 127 }
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127]
    return host.starts(with: mapped) || host == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether both are on the same machine: the same address, or two loopback addresses.
  public func isSameHost(as other: OSCEndpoint) -> Bool {
    isLoopback && other.isLoopback || family == other.family && hostBytes == other.hostBytes
  }

  /// The IP address in network order: 4 bytes, or 16.
  private var hostBytes: [UInt8] {
    Array(family == AF_INET ? address[4..<8] : address[8..<24])
  }

  /// Returns the address of this machine from which packets to this endpoint are sent, with any
  /// free port.
  public func localEndpoint() throws(OSCError) -> OSCEndpoint {
    // Connecting a datagram socket sends nothing; it only selects the address.
    let descriptor = bl_datagram_socket(family)
    guard descriptor >= 0 else { throw OSCError("socket", errno: errno) }
    defer { close(descriptor) }
    guard withAddress({ connect(descriptor, $0, $1) }) == 0,
      let local = OSCEndpoint(of: descriptor)
    else { throw OSCError("\(self)", errno: errno) }
    return local.at(port: 0)
  }

  /// Reads the local address of a socket.
  init?(of descriptor: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { return nil }
    self.init(storage, length: length)
  }

  /// Returns the endpoint on the same machine with another port.
  public func at(port: UInt16) -> OSCEndpoint {
    var other = address
    (other[2], other[3]) = (UInt8(port >> 8), UInt8(port & 0xFF))
    return OSCEndpoint(other)
  }

  private init(_ address: [UInt8]) { self.address = address }

  func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: address) }
    return withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(address.count)) }
    }
  }

  /// The endpoint as text: `127.0.0.1:9000`, `[::1]:9000`.
  public var description: String {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = withAddress {
      getnameinfo($0, $1, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    }
    let text = String(
      decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return status != 0 ? "?" : text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
  }
}
