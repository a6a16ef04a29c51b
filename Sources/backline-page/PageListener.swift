import ArgumentParser
import CConfinement
import Documents
import Glibc

/// The socket to which pages connect, opened before the process gives up the right to open sockets.
struct PageListener {
  let descriptor: Int32
  let port: Int

  /// Opens the socket.
  ///
  /// - Parameters:
  ///   - isLocal: whether to accept only connections of this machine.
  ///   - port: the port; 0 for any free port.
  /// - Throws: `ValidationError` if the port cannot be opened, as when it is in use.
  init(isLocal: Bool, port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(isLocal ? INADDR_LOOPBACK : INADDR_ANY).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
      }
    }
    guard status == 0 else {
      throw ValidationError(
        "port \(port): \(String(cString: strerror(errno))); --page-port 0 takes any that is free")
    }
    self.port = Int(in_port_t(bigEndian: address.sin_port))
  }

  /// Confines this process, which then can run no program, open no port and no network connection, and write only
  /// beneath `folder`.
  static func confine(writing folder: String) {
    var missing = [CChar](repeating: 0, count: 256)
    // Views lie in bundles anywhere.
    "/".withCString { root in
      folder.withCString { folder in
        _ = bl_confine_files([root, nil], [folder, nil], &missing, missing.count)
      }
    }
  }
}
