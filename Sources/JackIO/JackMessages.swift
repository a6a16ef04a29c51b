import CJack

/// The messages that the JACK library would have printed.
enum JackMessages {
  /// Removes all messages.
  static func clear() { _ = popErrors() }

  /// Removes all messages; returns the errors, oldest first.
  private static func popErrors() -> [String] {
    var errors: [String] = []
    var text = [CChar](repeating: 0, count: Int(BL_JACK_MESSAGE_SIZE))
    var isError = false
    while bl_jack_message_pop(&text, &isError) {
      if isError {
        errors.append(
          String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
    }
    return errors
  }

  /// Returns the library's reasons for a failure, or `otherwise` if it gave none.
  static func reason(otherwise: String) -> String {
    let errors = popErrors()
    return errors.isEmpty ? otherwise : errors.joined(separator: "; ")
  }
}
