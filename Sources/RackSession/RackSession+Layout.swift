import Documents
import RackEngine
import RackModel

/// The places of boxes in the rack's graph, which belong to the person and not to the rack file.
extension RackSession {
  /// The rack's graph, drawn.
  public func drawing() -> DrawnRack {
    rack.plan.drawn(engine.catalogue, places: sources.layouts.places(of: layoutKey))
  }

  /// Puts a box at a place, or back to where it is drawn by itself; without a name, all of them.
  ///
  /// - Throws: `Refusal` if there is no such box, `FileError` if the place cannot be kept.
  public func layout(_ name: String?, at place: BoxPlace?) throws -> String {
    let boxes = drawing().boxes.map(\.name)
    if let name, !boxes.contains(name) {
      throw Refusal(
        "there is no box “\(name)” in this rack", suggestion: nearestWord(to: name, in: boxes))
    }
    try sources.layouts.change(layoutKey) { places in
      if let name { places[name] = place } else { places = [:] }
    }
    feed.note(layout: rack.plan.name)
    return name.map { place == nil ? "\($0) is back in its place" : "moved \($0)" }
      ?? "all boxes are back in their places"
  }

  /// A renamed unit keeps its place.
  func moveLayout(from name: String, to new: String) async {
    guard sources.layouts.places(of: layoutKey)[name] != nil else { return }
    do {
      try sources.layouts.change(layoutKey) { $0[new] = $0.removeValue(forKey: name) }
    } catch {
      await engine.report(.warning("the box of \(new) is back in its place: \(error)"))
    }
  }

  private var layoutKey: String {
    let file = rack.file.file
    return FilePlace.resolve(file) ?? (file.isEmpty ? rack.plan.name : file)
  }
}
