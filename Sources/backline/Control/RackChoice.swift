import ArgumentParser
import Documents
import RackControl
import RackEngine

/// The option that chooses one of the racks that play.
struct RackChoice: ParsableArguments {
  @Option(
    name: .customLong("rack"), help: "The JACK client of the rack, if several racks play.",
    completion: .custom { _, _, _ in ControlSocket.names })
  var name: String?

  /// Connects to the rack.
  func connect() throws -> ControlClient {
    try ControlClient(rack: try chosen())
  }

  /// Returns the JACK client name of the chosen rack.
  func chosen() throws -> String { try Self.choose(name, of: ControlSocket.names) }

  static let noRack = "no rack is running; start one with: backline run RACK"

  private static func choose(_ name: String?, of running: [String]) throws -> String {
    let listed = running.joined(separator: ", ")
    if let name {
      // A socket's name has no slash.
      if running.contains(String(name.map { $0 == "/" ? "_" : $0 })) { return name }
      guard !running.isEmpty else { throw Failure(noRack) }
      throw Failure(
        "no rack “\(name)” is running, but \(listed)", nearestTo: name, in: running)
    }
    guard let only = running.first else { throw Failure(noRack) }
    guard running.count == 1 else {
      throw Failure("several racks are running: \(listed); choose one with --rack")
    }
    return only
  }
}
