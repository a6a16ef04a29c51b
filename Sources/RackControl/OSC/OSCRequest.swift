import Documents
import OSC
import RackEngine
import RackModel
import RackSession

/// The request of an OSC message.
enum OSCRequest {
  case command(any Command)
  /// Sets every parameter that the address or pattern matches.
  case set(address: String, value: String)
  case get(address: String)
  /// A message without effect: the release of a button, or a reply or an error of another rack, as two racks would
  /// answer each other for ever.
  case nothing

  /// Reads a message.
  ///
  /// - Throws: `Refusal` with the reason if the message is not a request.
  init(_ message: OSCMessage) throws {
    let parts = message.address.split(separator: "/", omittingEmptySubsequences: false)
    guard message.address.hasPrefix("/"), parts.dropFirst().allSatisfy({ !$0.isEmpty }) else {
      throw Refusal("“\(message.address)” is not an address such as /echo/mix or /undo")
    }
    if parts.count == 2 {
      self = try Self.command(String(parts[1]), message)
    } else if message.arguments.isEmpty {
      self = .get(address: message.address)
    } else if message.arguments.count == 1 {
      self = .set(address: message.address, value: try Self.texts(of: message)[0])
    } else {
      throw Refusal("“\(message.address)” takes one value, not \(message.arguments.count)")
    }
  }

  private static func texts(of message: OSCMessage) throws(Refusal) -> [String] {
    var texts: [String] = []
    for argument in message.arguments {
      guard let text = argument.written else {
        throw Refusal("“\(message.address)” takes numbers and texts")
      }
      texts.append(text)
    }
    return texts
  }

  private static func command(_ word: String, _ message: OSCMessage) throws -> OSCRequest {
    if word == "reply" || word == "error" { return .nothing }
    let type: any Command.Type
    do throws(Refusal) {
      type = try Commands.named(word)
    } catch {
      throw Refusal(
        "there is no command “/\(word)”", suggestion: error.suggestion.map { "/\($0)" })
    }
    var message = message
    if let last = message.arguments.last?.isPressed,
      !type.takesNumber(at: message.arguments.count - 1)
    {
      guard last else { return .nothing }
      message.arguments.removeLast()
    }
    let texts = try texts(of: message)
    let command = try type.read(try type.arguments(inOrder: texts))
    if let get = command as? ReadParameter { return .get(address: get.parameter) }
    return .command(command)
  }
}
