import Documents

/// The rules for names of ports, units and racks: JACK must accept them, and chains must be readable.
enum NameRules {
  /// JACK's limit for a client's name, bytes of UTF-8.
  static let maximumClientBytes = 63
  /// JACK's limit for a client's name, the colon and a port's name together, bytes of UTF-8.
  static let maximumPortBytes = 255

  /// Checks the name of a rack or a set list, which becomes that of the JACK client.
  static func checkRack(
    _ name: Located<String>, kind: String = "rack", diagnostics: DiagnosticCollector
  ) {
    if let problem = common(name.value) {
      diagnostics.error(name.position, problem)
    } else if name.value.utf8.count > maximumClientBytes {
      diagnostics.error(
        name.position,
        "the \(kind)'s name is too long: JACK takes \(maximumClientBytes) bytes, this has "
          + "\(name.value.utf8.count)")
    }
  }

  static func check(_ name: Located<String>, diagnostics: DiagnosticCollector) {
    if let problem = common(name.value) {
      diagnostics.error(name.position, problem)
    } else if name.value.contains(".") {
      diagnostics.error(
        name.position,
        "“\(name.value)” has a dot, which stands between a unit and its bus in chains")
    } else if ChainName(name.value).hasLimits {
      diagnostics.error(
        name.position,
        "“\(name.value)” ends like “keys channel 2” or “keys notes C3..B4”, which limit a cable")
    } else if name.value.contains("->") || name.value.contains("~>") {
      diagnostics.error(name.position, "“\(name.value)” has an arrow in it, which parts a chain")
    }
  }

  /// Checks the name of a scene, which JACK does not see.
  ///
  /// - Throws: `Refusal` where the name is empty, has a control character, or starts or ends with a space.
  static func checkScene(_ name: String) throws(Refusal) {
    if let problem = spelling(name) { throw Refusal(problem) }
  }

  private static func common(_ name: String) -> String? {
    name.contains(":")
      ? "“\(name)” has a colon, which JACK puts between client and port" : spelling(name)
  }

  private static func spelling(_ name: String) -> String? {
    if name.isEmpty { return "a name cannot be empty" }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "the name has a control character in it"
    }
    if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
      return "“\(name)” begins or ends with a space"
    }
    return nil
  }
}
