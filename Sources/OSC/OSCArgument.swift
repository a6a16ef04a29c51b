import CLo

/// An argument of a message.
public enum OSCArgument: Sendable, Equatable {
  /// An integer, sent as `i` if it fits, or else as `h`.
  case integer(Int)
  /// A float, sent as `f`.
  case number(Double)
  case text(String)
  case boolean(Bool)
  /// Nil or Infinitum, a trigger without a value.
  case impulse
  /// An argument of another type, such as a time tag or MIDI.
  case other

  public static func float(_ value: Float) -> OSCArgument { .number(Double(value)) }

  /// The argument as text; nil for `impulse` and `other`.
  public var written: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .impulse, .other: nil
    }
  }

  /// Whether the argument presses a button; nil if buttons do not send such arguments.
  public var isPressed: Bool? {
    switch self {
    case .integer(let number): number > 0
    case .number(let number): number >= 0.5
    case .boolean(let value): value
    case .impulse: true
    case .text, .other: nil
    }
  }

  /// Copies an argument from `value`, which has only the bytes of its type: fewer than liblo's
  /// union of all types.
  init(_ type: UInt8, _ value: UnsafeMutablePointer<lo_arg>?) {
    func read<Value: BitwiseCopyable>(_ value: UnsafeRawPointer, _: Value.Type) -> Value {
      value.loadUnaligned(as: Value.self)
    }
    self =
      switch (UnicodeScalar(type), value.map { UnsafeRawPointer($0) }) {
      case ("T", _): .boolean(true)
      case ("F", _): .boolean(false)
      case ("N", _), ("I", _): .impulse
      case ("i", let value?): .integer(Int(read(value, Int32.self)))
      case ("h", let value?): .integer(Int(read(value, Int64.self)))
      case ("f", let value?): .number(Double(read(value, Float.self)))
      case ("d", let value?): .number(read(value, Double.self))
      case ("c", let value?): .text(String(UnicodeScalar(read(value, UInt8.self))))
      case ("s", let value?), ("S", let value?):
        .text(String(cString: value.assumingMemoryBound(to: CChar.self)))
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
    case .impulse: lo_message_add_nil(message)
    case .other: lo_message_add_timetag(message, lo_timetag())
    }
  }
}
