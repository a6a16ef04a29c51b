import CIO

/// Whether this process may run real-time threads, and the remedy if not.
public enum RealtimePermission {
  public static func isGranted(priority: Int = 5) -> Bool {
    bl_realtime_is_permitted(Int32(priority))
  }

  /// The warning for the musician.
  public static let warning = """
    no permission to run in real time, so expect dropouts; give the group audio real-time permission (a file in /etc/security/limits.d with the lines \
    "@audio - rtprio 95" and "@audio - memlock unlimited"; Debian's jackd2 has one ready: sudo \
    dpkg-reconfigure jackd2), join it (sudo usermod -aG audio $USER) and log in again
    """
}
