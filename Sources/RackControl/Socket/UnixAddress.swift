import Glibc

/// The address of a local socket: a path, or an abstract name that begins with a zero byte.
package enum UnixAddress {
  /// Calls `body` with the address; returns nil if the name is too long.
  package static func with<Result>(
    _ name: some Collection<UInt8>, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = MemoryLayout.size(ofValue: address) - MemoryLayout.size(ofValue: address.sun_path)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(length + name.count))
      }
    }
  }
}
