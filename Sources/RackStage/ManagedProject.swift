import Documents
import Glibc
import RackControl
import RackModel
import RackSession

/// The project that a session manager (NSM) has this program open.
package struct ManagedProject: Sendable {
  let client: NSMClient
  let project: NSMClient.Project

  /// The path of the project's rack file, which may not exist yet.
  private var path: String { "\(project.path).yaml" }

  /// Whether the program takes part in a session.
  package static var isWanted: Bool { getenv("NSM_URL") != nil }

  /// Joins the session; nil without a session manager.
  package static func join() async throws(NSMError) -> ManagedProject? {
    guard let url = getenv("NSM_URL").map({ String(cString: $0) }), !url.isEmpty else { return nil }
    let name = CommandLine.arguments.first.map(FilePath.name).flatMap { $0.isEmpty ? nil : $0 }
    let client = try await NSMClient.announce(
      to: url, application: "Backline", executable: name.map(String.init) ?? "backline")
    return ManagedProject(client: client, project: try await client.openProject())
  }

  /// Returns the racks to play: the project's own rack file, or for a new project the given racks, or a rack
  /// that is created for the project.
  ///
  /// - Throws: `FileError` if that rack cannot be written.
  package func racks(given: [String]) throws -> [String] {
    if WholeFile.isThere(path) { return [path] }
    if !given.isEmpty { return given }
    try WholeFile.write(Array(Self.newRack.utf8), to: path)
    return [path]
  }

  /// Saves the project whenever the session is saved: a rack into the project's own file, the songs of a
  /// set list into the songs' files.
  func opened(_ session: RackSession, isSetList: Bool) async {
    let save = isSetList ? SaveRack() : SaveRack(path: path, force: true)
    await client.opened(session) { try await session.perform(save) }
  }

  /// Reports to the session manager why the project cannot be opened, unless it has been opened.
  package func refuse(because reason: String, isWrong: Bool) async {
    await client.refuse(isWrong ? .badProject : .general, because: reason)
  }

  private static let newRack = """
    # A rack that passes everything through.
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
