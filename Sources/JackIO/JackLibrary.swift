import CJack
import Glibc

/// The table of libjack's functions.
///
/// Unchecked Sendable: the table is written once, before it is shared, and lasts as long as the
/// process.
struct JackLibrary: @unchecked Sendable {
  let functions: UnsafePointer<bl_jack_library>

  init() throws(JackError) {
    var error: UnsafePointer<CChar>?
    guard let functions = bl_jack_load_client(&error) else {
      throw .library(error.map { String(cString: $0) } ?? "libjack cannot be loaded")
    }
    bl_jack_message_collect(
      functions.pointee.jack_set_error_function, functions.pointee.jack_set_info_function)
    // libjack writes to its server's socket without MSG_NOSIGNAL; SIGPIPE from a dying server would
    // kill this process.
    signal(SIGPIPE, SIG_IGN)
    self.functions = functions
  }
}
