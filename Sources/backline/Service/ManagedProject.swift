import ArgumentParser
import Documents
import Glibc
import RackControl
import RackEngine
import RackModel
import RackSession

/// The project that a session manager (NSM) has this program open.
struct ManagedProject: Sendable {
  let client: NSMClient
  let project: NSMClient.Project

  /// The path of the project's rack file, which may not exist yet.
  var path: String { "\(project.path).yaml" }

  /// Whether the program takes part in a session.
  static var isWanted: Bool { getenv("NSM_URL") != nil }

  /// Joins the session; prints the reason and returns nil if that fails.
  static func join() async -> ManagedProject? {
    guard let url = getenv("NSM_URL").map({ String(cString: $0) }), !url.isEmpty else { return nil }
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    do {
      let client = try await NSMClient.announce(
        to: url, application: "Backline", executable: name ?? "backline")
      return ManagedProject(client: client, project: try await client.openProject())
    } catch {
      Terminal.complain("warning: \(error); playing outside of any session")
      return nil
    }
  }

  /// What is to be played: the project's own rack file, or for a new project what was given, or a rack
  /// that is made for it.
  func racks(given: [String]) throws -> [String] {
    if WholeFile.isThere(path) { return [path] }
    if !given.isEmpty { return given }
    try WholeFile.write(Array(Self.newRack.utf8), to: path)
    return [path]
  }

  /// Has the project saved when the session is: a rack into the project's own file, the songs of a set
  /// list into theirs.
  func opened(_ session: RackSession, isSetList: Bool) async {
    let request = isSetList ? SaveRequest() : SaveRequest(path: path, isForced: true)
    await client.opened(session) { try await session.saveRevision(request) }
  }

  /// Tells the session manager why the project cannot be opened, where it has not been.
  func refuse(because error: any Error, _ reason: String) async {
    let isWrong = (error as? ExitCode) == .wrongRack
    let mark = "error: "
    let text = reason.hasPrefix(mark) ? String(reason.dropFirst(mark.count)) : reason
    await client.refuse(isWrong ? .badProject : .general, because: text)
  }

  private static let newRack = """
    # A rack that lets everything through, to begin with.
    rack: Backline
    inputs:
      in: { channels: 2 }
    outputs:
      main: { channels: 2 }
    units:
      level: { unit: aufx/gain/bkln }
    connections:
      - in -> level -> main

    """
}
