import CLo

/// An argument of a message, as far as anything here understands it.
public enum OSCArgument: Sendable, Equatable {
  /// Goes as `i`, where it fits, or else as `h`.
  case integer(Int)
  /// Goes as `f`.
  case number(Double)
  case text(String)
  case boolean(Bool)
  /// A nil, an infinitum, or what is no value: a time tag, MIDI.
  case other

  public static func float(_ value: Float) -> OSCArgument { .number(Double(value)) }

  /// As a person would write it; nil for what is no value.
  public var written: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .other: nil
    }
  }

  init(_ type: UInt8, _ value: UnsafeMutablePointer<lo_arg>?) {
    self =
      switch (UnicodeScalar(type), value) {
      case ("T", _): .boolean(true)
      case ("F", _): .boolean(false)
      case ("i", let value?): .integer(Int(value.pointee.i))
      case ("h", let value?): .integer(Int(value.pointee.h))
      case ("f", let value?): .number(Double(value.pointee.f))
      case ("d", let value?): .number(value.pointee.d)
      case ("c", let value?): .text(String(UnicodeScalar(value.pointee.c)))
      case ("s", let value?), ("S", let value?):
        .text(
          String(
            cString: UnsafeRawPointer(value).assumingMemoryBound(to: CChar.self)))
      default: .other
      }
  }

  func add(to message: lo_message?) {
    switch self {
    case .integer(let number):
      if let number = Int32(exactly: number) {
        lo_message_add_int32(message, number)
      } else {
        lo_message_add_int64(message, Int64(number))
      }
    case .number(let number): lo_message_add_float(message, Float(number))
    case .text(let text): lo_message_add_string(message, text)
    case .boolean(true): lo_message_add_true(message)
    case .boolean(false): lo_message_add_false(message)
    case .other: lo_message_add_nil(message)
    }
  }
}
