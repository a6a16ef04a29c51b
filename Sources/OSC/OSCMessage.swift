import CLo

/// A message of Open Sound Control 1.0.
public struct OSCMessage: Sendable, Equatable {
  /// The address, `/echo/mix`, or an address pattern.
  public var address: String
  public var arguments: [OSCArgument]

  public init(_ address: String, _ arguments: OSCArgument...) {
    self.init(address, arguments)
  }

  public init(_ address: String, _ arguments: [OSCArgument]) {
    (self.address, self.arguments) = (address, arguments)
  }

  /// The encoded message.
  public var bytes: [UInt8] {
    let message = lo_message_new()
    defer { lo_message_free(message) }
    for argument in arguments { argument.add(to: message) }
    let size = lo_message_length(message, address)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      lo_message_serialise(message, address, buffer.baseAddress, nil)
      count = size
    }
  }

  /// Decodes a message.
  ///
  /// - Throws: `OSCError` if the bytes are not a message, or contain a blob.
  init(_ bytes: ArraySlice<UInt8>) throws(OSCError) {
    // liblo 0.31 reads past a blob at the end of a message; no request has a blob.
    guard !Self.hasBlob(bytes) else { throw OSCError("it has a blob, which no request takes") }
    var result: Int32 = 0
    var copy = Array(bytes)
    guard let message = lo_message_deserialise(&copy, copy.count, &result) else {
      throw OSCError("it is not a message")
    }
    defer { lo_message_free(message) }
    // The address is zero-terminated: liblo has checked it.
    address = String(decoding: copy.prefix { $0 != 0 }, as: UTF8.self)
    let types = lo_message_get_types(message).map { String(cString: $0) } ?? ""
    let values = lo_message_get_argv(message)
    arguments = types.utf8.enumerated().map { index, type in
      OSCArgument(type, values?[index])
    }
  }

  private static func hasBlob(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let end = bytes.firstIndex(of: 0) else { return false }
    let types = bytes.startIndex + ((end - bytes.startIndex) / 4 + 1) * 4
    guard types < bytes.endIndex else { return false }
    return bytes[types...].prefix { $0 != 0 }.contains(UInt8(ascii: "b"))
  }
}
