import Documents
import RackEngine
import RackModel

/// The command that moves a box of the drawn graph to a position, or back to its automatic position. Positions
/// belong to the user and not to the rack file.
struct MoveBox: Command {
  var name: String?
  var x: Int?
  var y: Int?
  var reset: Bool?

  static let declaration = CommandDeclaration(
    "layout", "Move a box of the drawn graph.",
    detail: "The places are the user's, kept by the rack file's path, and no part of the file.",
    examples: ["layout echo --x 120 --y 40", "layout --reset"])
  static let arguments: [CommandArgument<Self>] = [
    .optional("name", \.name, .unit, "The unit or the port."),
    .count("x", \.x, "Its left edge, as `picture` has it."),
    .count("y", \.y, "Its upper edge."),
    .flag(
      "reset", \.reset, "Back to where it is drawn by itself; without a name, all boxes."),
  ]

  func validate() throws(Refusal) {
    if reset == true { return }
    guard name != nil, let x, let y else {
      throw Refusal("“layout” needs “name”, “x” and “y”, or “reset”")
    }
    guard (0...BoxPlace.furthest).contains(x), (0...BoxPlace.furthest).contains(y) else {
      throw Refusal("“x” and “y” must be 0 to \(BoxPlace.furthest)")
    }
  }

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let place = reset == true ? nil : BoxPlace(x: Double(x ?? 0), y: Double(y ?? 0))
    return .done(try session.layout(name, at: place))
  }
}

extension RackSession {
  /// Returns the drawing of the rack's graph.
  public func drawing() -> DrawnRack {
    rack.plan.drawn(engine.catalogue, places: sources.layouts.places(of: layoutKey))
  }

  /// Moves a box to a position; nil for its automatic position. Without a name, resets all boxes. Returns a
  /// description.
  ///
  /// - Throws: `Refusal` if there is no such box, `FileError` if the position cannot be stored.
  fileprivate func layout(_ name: String?, at place: BoxPlace?) throws -> String {
    let boxes = drawing().boxes.map(\.name)
    if let name, !boxes.contains(name) {
      throw Refusal(
        "there is no box “\(name)” in this rack", suggestion: nearestWord(to: name, in: boxes))
    }
    try sources.layouts.change(layoutKey) { places in
      if let name { places[name] = place } else { places = [:] }
    }
    feed.post(BoxesMoved(rack.plan.name))
    return name.map { place == nil ? "\($0) is back in its place" : "moved \($0)" }
      ?? "all boxes are back in their places"
  }

  /// Moves the positions of renamed units to their new names.
  ///
  /// - Parameter names: the new names by the former names.
  func moveLayout(_ names: [String: String]) async {
    let places = sources.layouts.places(of: layoutKey)
    guard places.keys.contains(where: { names[$0] != nil }) else { return }
    do {
      try sources.layouts.change(layoutKey) { places in
        places = Dictionary(places.map { (names[$0] ?? $0, $1) }) { first, _ in first }
      }
    } catch {
      await engine.report(
        .warning("boxes of renamed units are back in their places: \(error)"))
    }
  }

  private var layoutKey: String {
    let file = rack.file.file
    return FilePath.resolve(file) ?? (file.isEmpty ? rack.plan.name : file)
  }
}
