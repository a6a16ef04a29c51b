import Documents

/// A set list with its racks.
public struct CheckedSetList: Sendable {
  public var list: SetList
  /// The path of each song's rack file.
  public var paths: [String]
  /// The rack of each song; nil where it has errors.
  public var racks: [CheckedRack?]

  /// Returns the index of the song with a name; nil if there is none.
  public func index(of song: String) -> Int? {
    list.songs.firstIndex { $0.name.value == song }
  }
}

/// Checks a set list with all its racks, and finds all errors in one run.
package struct SetListChecker {
  /// Returns the path of a song's rack file, from the rack as written.
  package let locate: (String) -> String
  /// Loads the rack at a path, with its diagnostics.
  package let load: (String) -> (rack: CheckedRack?, diagnostics: [Diagnostic])

  package init(
    locate: @escaping (String) -> String,
    load: @escaping (String) -> (rack: CheckedRack?, diagnostics: [Diagnostic])
  ) {
    (self.locate, self.load) = (locate, load)
  }

  /// Whether the file is a set list rather than a rack.
  package static func isSetList(_ bytes: some Sequence<UInt8>) -> Bool {
    let root = SetList.root(of: bytes, DiagnosticCollector(file: ""))
    return root?["setlist"] != nil
  }

  /// Checks a set list with its racks; returns it if the list has no errors of its own, and all
  /// diagnostics.
  package func check(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (list: CheckedSetList?, diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector(file: file)
    let list = SetList.read(bytes, diagnostics)
    let problems = diagnostics.diagnostics.inOrder()
    guard let list else { return (nil, problems) }
    let (checked, findings) = check(list)
    return (diagnostics.hasErrors ? nil : checked, problems + findings)
  }

  /// Checks a list that was created in Swift, with its racks.
  package func check(_ list: SetList) -> (list: CheckedSetList, diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector(file: list.file)
    var found: [String: CheckedRack?] = [:]
    var findings: [Diagnostic] = []
    let paths = list.songs.map { locate($0.rack.value) }
    for (song, path) in zip(list.songs, paths) where found[path] == nil {
      let (rack, problems) = load(path)
      found.updateValue(rack, forKey: path)
      findings += problems
      if rack == nil {
        diagnostics.error(song.rack.position, "the rack of “\(song.name.value)” cannot be played")
      }
    }
    let racks = paths.map { found[$0] ?? nil }
    for (song, rack) in zip(list.songs, racks) {
      if let rack { check(song, rack.plan, list, diagnostics) }
    }
    let checked = CheckedSetList(list: list, paths: paths, racks: racks)
    return (checked, diagnostics.diagnostics.inOrder() + findings)
  }

  private func check(
    _ song: Song, _ plan: Plan, _ list: SetList, _ diagnostics: DiagnosticCollector
  ) {
    let names = plan.scenes.map(\.name)
    if let scene = song.scene, !names.contains(scene.value) {
      diagnostics.error(
        scene.position, "“\(plan.name)” has no scene “\(scene.value)”",
        suggestion: nearestWord(to: scene.value, in: names))
    }
    if list.songs.contains(where: { $0.program != nil }), list.programs.isTaken(in: plan) {
      diagnostics.error(
        list.programs.input?.position ?? song.name.position,
        "“\(plan.name)” uses the name “\(list.programs.name)” for something else, so it receives no"
          + " programs; choose another name: programs: { input: NAME }")
    }
  }
}
