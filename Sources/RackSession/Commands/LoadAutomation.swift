import Documents
import RackEngine
import RackModel

extension CheckedRack {
  /// Returns the rack with the lanes of an automation file, which replace the rack's lanes of the same parameters;
  /// nil if the file has errors.
  public func adding(
    automation path: String, checker: RackChecker
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.read(path, limit: AutomationFile.maximumSize)
    } catch {
      let start = SourcePosition(line: 1, column: 1)
      return (nil, [Diagnostic(file: path, position: start, message: error.reason)])
    }
    let (lanes, problems) = AutomationFile.parse(bytes, file: path)
    guard !problems.contains(where: { $0.severity == .error }) else { return (nil, problems) }
    let (rack, diagnostics) = checker.adding(lanes, from: path, to: self)
    return (rack, problems + diagnostics)
  }
}

/// The command that plays the lanes of an automation file together with the rack's own.
struct LoadAutomation: Command {
  var file = ""

  static let declaration = CommandDeclaration(
    "automation", "Play the lanes of an automation file.", access: .files)
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "file", \.file, .path, "The file; on the socket and over OSC a path from the root.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let before = await session.present()
    let checker = session.checker(session.rack)
    let (after, diagnostics) = before.adding(automation: file, checker: checker)
    let findings = diagnostics.map(\.description)
    guard let after else { throw Refusal(findings.joined(separator: "\n")) }
    let done = try await session.change(
      from: before, to: after, title: "automation loaded from \(file)",
      // An undo also restores the parameters that the lanes have moved.
      setsAllValues: true)
    return .done(([done] + findings).joined(separator: "\n"))
  }
}
