import CJack
import Glibc

/// One of the two tables of JACK's functions.
///
/// Unchecked Sendable: the table is written once, before it is handed out, and lasts as long as the
/// process.
struct JackLibrary: @unchecked Sendable {
  let functions: UnsafePointer<bl_jack_library>

  /// libjack: for the clients of a server in another process.
  static func client() throws(JackError) -> JackLibrary { try load(bl_jack_load_client) }

  /// libjackserver: for a server in this process.
  static func server() throws(JackError) -> JackLibrary { try load(bl_jack_load_server) }

  /// PipeWire's libjack knows PipeWire only, whatever server is asked for.
  var isPipeWire: Bool {
    functions.pointee.jack_get_version_string().map { String(cString: $0).contains("PipeWire") }
      ?? false
  }

  private static func load(
    _ loader: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> UnsafePointer<bl_jack_library>?
  ) throws(JackError) -> JackLibrary {
    var error: UnsafePointer<CChar>?
    guard let functions = loader(&error) else {
      throw .library(error.map { String(cString: $0) } ?? "libjack cannot be loaded")
    }
    bl_jack_message_collect(functions)
    // libjack writes to its server's socket without MSG_NOSIGNAL; a server that dies would take
    // this process with it.
    signal(SIGPIPE, SIG_IGN)
    return JackLibrary(functions: functions)
  }
}
