import Glibc

/// The addresses of this machine in its networks.
enum LocalAddresses {
  /// The IPv4 addresses as text, without the loopback.
  static var all: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [String] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      let isUp = entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
      let isLoopback = entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) != 0
      guard isUp, !isLoopback, let address = entry.pointee.ifa_addr,
        address.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = getnameinfo(
        address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      if status == 0 {
        found.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
      }
    }
    return found
  }
}
