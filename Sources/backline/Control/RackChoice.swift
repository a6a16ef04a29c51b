import ArgumentParser
import Documents
import RackControl
import RackEngine

/// Which of the racks that run is meant.
struct RackChoice: ParsableArguments {
  @Option(
    name: .customLong("rack"), help: "The rack's JACK client, where several run.",
    completion: .custom { _, _, _ in ControlSocket.names })
  var name: String?

  /// A connection to it; says why there is none.
  func connect() throws -> ControlClient {
    try Terminal.reporting {
      try ControlClient(rack: try Self.choose(name, of: ControlSocket.names))
    }
  }

  private static func choose(_ name: String?, of running: [String]) throws -> String {
    let listed = running.joined(separator: ", ")
    if let name {
      // The socket of a name with a slash has none.
      if running.contains(String(name.map { $0 == "/" ? "_" : $0 })) { return name }
      let near = nearestWord(to: name, in: running).map { "; did you mean “\($0)”?" } ?? ""
      throw NoRack(
        running.isEmpty
          ? "no rack is running; start one with: backline run RACK"
          : "no rack “\(name)” is running, but \(listed)\(near)")
    }
    guard let only = running.first else {
      throw NoRack("no rack is running; start one with: backline run RACK")
    }
    guard running.count == 1 else {
      throw NoRack("several racks are running: \(listed); choose one with --rack")
    }
    return only
  }

  private struct NoRack: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
