import CJack

/// A line that the JACK library would have printed.
public struct JackMessage: Sendable, Equatable {
  public var text: String
  public var isError: Bool
}

public enum JackMessages {
  /// Takes what the library has said since it was last asked, oldest first, 64 lines at most.
  public static func drain() -> [JackMessage] {
    var messages: [JackMessage] = []
    var text = [CChar](repeating: 0, count: Int(BL_JACK_MESSAGE_SIZE))
    var isError = false
    while bl_jack_message_take(&text, &isError) {
      messages.append(JackMessage(text: String(cArray: text), isError: isError))
    }
    return messages
  }

  /// The library's own reasons for a failure, or `otherwise` where it gave none.
  static func reason(otherwise: String) -> String {
    let errors = drain().filter(\.isError).map(\.text)
    return errors.isEmpty ? otherwise : errors.joined(separator: "; ")
  }
}

extension String {
  /// The text in an array that a C function has filled and ended by 0.
  init(cArray: [CChar]) {
    self.init(
      decoding: cArray.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
