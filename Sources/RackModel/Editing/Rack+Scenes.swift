import Documents

/// Edits the scenes of a rack file, and the controls that recall them.
extension Rack {
  mutating func renameScene(_ name: String, to new: String) throws(Refusal) {
    let index = try self.index(ofScene: name)
    if scenes.contains(where: { $0.name.value == new }) {
      throw Refusal("“\(new)” is already the name of a scene")
    }
    try NameRules.checkScene(new)
    // The scene's position in the file is kept.
    scenes[index].name.value = new
    for index in controls.indices where controls[index].recalls(name) {
      controls[index].target?.value = "scene \(new)"
    }
  }

  mutating func removeScene(_ name: String) throws(Refusal) {
    scenes.remove(at: try index(ofScene: name))
    controls.removeAll { $0.recalls(name) }
  }

  private func index(ofScene name: String) throws(Refusal) -> Int {
    if let index = scenes.firstIndex(where: { $0.name.value == name }) { return index }
    throw Refusal(noScene: name, in: scenes.map(\.name.value))
  }
}

extension Rack.Control {
  /// Whether the control's target is `scene NAME`.
  fileprivate func recalls(_ scene: String) -> Bool {
    guard let text = target?.value, text.hasPrefix("scene ") else { return false }
    return text.dropFirst("scene ".count).trimmingPrefix { $0 == " " } == scene
  }
}

extension Refusal {
  /// Creates the refusal for a scene name that is not among `names`.
  package init(noScene name: String, in names: [String]) {
    self.init(
      names.isEmpty
        ? "the rack has no scenes"
        : "there is no scene “\(name)” in this rack; it has \(names.joined(separator: ", "))",
      suggestion: nearestWord(to: name, in: names))
  }
}
