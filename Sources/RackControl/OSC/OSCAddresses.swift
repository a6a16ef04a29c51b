import Documents
import OSC
import RackModel

/// The OSC addresses of a rack's parameters: `/echo/mix` is `echo.mix`.
///
/// Properties of units have addresses too, which no pattern matches.
///
/// Characters that an address cannot contain (a space, and the signs of patterns) are written `_`. If two
/// parameters then have the same address, it belongs to the parameter whose name is not changed.
struct OSCAddresses {
  private var parameters: [String: String] = [:]
  private var properties: [String: String] = [:]
  private var addresses: [String: String] = [:]
  /// The addresses of parameters, in the rack's order.
  private(set) var all: [String] = []

  init(_ parameters: [String] = [], properties: [String] = []) {
    for property in properties { self.properties[Self.address(of: property)] = property }
    let named = parameters.map { ($0, Self.address(of: $0)) }
    for (parameter, address) in named where !Self.isChanged(parameter) {
      self.parameters[address] = parameter
    }
    for (parameter, address) in named {
      if self.parameters[address] == nil { self.parameters[address] = parameter }
      guard self.parameters[address] == parameter else { continue }
      addresses[parameter] = address
      all.append(address)
    }
  }

  /// The path of the parameter or the property at an address; nil if there is none.
  subscript(address: String) -> String? { parameters[address] ?? properties[address] }

  /// Whether a property is at the address, which may be slow to set.
  func isSlow(_ address: String) -> Bool {
    parameters[address] == nil && properties[address] != nil
  }

  /// Returns the address of a parameter; nil if the parameter has none.
  func address(of parameter: String) -> String? { addresses[parameter] }

  private static func isForbidden(_ character: Character) -> Bool {
    character == "/" || OSCPattern.signs.contains(character)
  }

  private static func isChanged(_ parameter: String) -> Bool {
    parameter.contains(where: isForbidden)
  }

  /// Returns the address of a path: `/far_echo/mix` for `far echo.mix`.
  static func address(of name: String) -> String {
    "/" + String(name.map { $0 == "." ? "/" : isForbidden($0) ? "_" : $0 })
  }

  /// Returns the addresses that match an address or a pattern, in the rack's order; at least one.
  ///
  /// - Throws: `Refusal` if none matches.
  func matches(_ text: String) throws -> [String] {
    if self[text] != nil { return [text] }
    guard OSCPattern.isPattern(text) else {
      throw Refusal(
        "there is no parameter “\(text)” in this rack", suggestion: nearestWord(to: text, in: all))
    }
    let pattern = try OSCPattern(text)
    let found = all.filter(pattern.matches)
    if found.isEmpty { throw Refusal("“\(text)” matches no parameter of this rack") }
    return found
  }
}
