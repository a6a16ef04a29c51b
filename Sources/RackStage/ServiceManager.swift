import Glibc
import RackControl

/// Reports the state of a service to systemd (sd_notify(3)): lines in a datagram to the socket that
/// `NOTIFY_SOCKET` names.
package struct ServiceManager: Sendable {
  private let path: String
  /// Half the interval of systemd's watchdog; nil without a watchdog.
  package let watchdogInterval: Duration?

  /// Reads the variables of systemd; nil without a usable `NOTIFY_SOCKET`.
  package init?(_ environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    // A path, or an abstract address.
    guard let path = environment("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@") else {
      return nil
    }
    self.path = path
    let isForThisProcess = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    let limit = environment("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    watchdogInterval = isForThisProcess && limit > 0 ? .microseconds(limit / 2) : nil
  }

  /// Reports that the service has started.
  package func ready(_ status: String) { send("READY=1\nSTATUS=\(Self.line(status))") }

  /// Reports a state for `systemctl status`.
  package func report(_ status: String) { send("STATUS=\(Self.line(status))") }

  package func stopping() { send("STOPPING=1\nSTATUS=fading out") }

  /// Answers the watchdog.
  package func ping() { send("WATCHDOG=1") }

  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// Sends lines, without waiting for systemd.
  private func send(_ text: String) {
    var name = Array(path.utf8)
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let message = Array(text.utf8)
    _ = UnixAddress.with(name) {
      sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, $1)
    }
  }
}
