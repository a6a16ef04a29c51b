import Documents
import RackModel

/// The command that sets several parameters and bypasses as one step, or none if one of them cannot be set.
struct SetParameters: Command {
  var values: [Setting] = []

  static let declaration = CommandDeclaration(
    "set-all", "Set several parameters and bypasses at once.",
    detail: "One step to undo. If one of them cannot be set, none is.",
    examples: ["set-all \"echo.mix=30 %, level.gain=-6 dB\""], lane: .gesture)
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "values", \.values, .value, "PARAMETER=VALUE, with commas between.", as: settings(in:))
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let values = try values.map { setting in
      let found = try session.find(try ParameterPath(setting.key.value))
      return (found: found, value: try found.value(written: setting.value.value))
    }
    let steps = values.filter { $0.value != $0.found.value }.map {
      History.Value(path: $0.found.path, before: $0.found.value, after: $0.value)
    }
    do {
      for (found, value) in values { try await session.apply(value, to: found.path) }
    } catch {
      for step in steps { try? await session.apply(step.before, to: step.path) }
      throw error
    }
    let momentary = Set(values.filter { $0.found.info.isMomentary }.map(\.found.path))
    let moved = steps.filter { !momentary.contains($0.path) }
    if !moved.isEmpty { session.history.add(.values(moved), title: History.title(of: moved)) }
    return .done(steps.isEmpty ? "all is set already" : History.title(of: steps))
  }

  /// Parses `echo.mix=30 %, level.gain=-6 dB`.
  @Sendable private static func settings(in text: String) throws(Refusal) -> [Setting] {
    // A unit's name may contain commas, a value does not.
    var parts: [Substring] = []
    var isComplete = true
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let start = isComplete ? part.startIndex : parts.removeLast().startIndex
      parts.append(text[start..<part.endIndex])
      isComplete = part.contains("=")
    }
    return try parts.map { part throws(Refusal) in
      guard let sign = part.lastIndex(of: "="), sign != part.startIndex else {
        throw Refusal(
          "“\(part.trimmingSpaces())” sets nothing; write PARAMETER=VALUE, as in echo.mix=30 %")
      }
      return Setting(
        part[..<sign].trimmingSpaces(), part[part.index(after: sign)...].trimmingSpaces())
    }
  }
}
