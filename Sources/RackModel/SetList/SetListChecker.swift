import Documents

/// A set list with its racks.
public struct CheckedSetList: Sendable {
  public var list: SetList
  /// Of each song the path of its rack file.
  public var paths: [String]
  /// Of each song its rack; nil where that is wrong.
  public var racks: [CheckedRack?]

  /// The place of a song of this name.
  public func place(of song: String) -> Int? {
    list.songs.firstIndex { $0.name.value == song }
  }
}

/// Checks a set list with all its racks; every error is found in one go.
public struct SetListChecker {
  /// The path of a song's rack, by the rack as written.
  public let locate: (String) -> String
  /// A rack, and everything that there is to say about it, by its path.
  public let load: (String) -> (rack: CheckedRack?, diagnostics: [Diagnostic])

  public init(
    locate: @escaping (String) -> String,
    load: @escaping (String) -> (rack: CheckedRack?, diagnostics: [Diagnostic])
  ) {
    (self.locate, self.load) = (locate, load)
  }

  /// Whether the file is a set list rather than a rack.
  public static func isSetList(_ bytes: some Sequence<UInt8>) -> Bool {
    let document = YAMLDocument(bytes, file: "", kind: SetListReader.kind)
    guard case .mapping(let pairs)? = document.root?.content else { return false }
    return pairs.contains { $0.key.value == "setlist" }
  }

  /// The list, where there is no error in itself, with those of its racks that are right; and
  /// everything there is to say about it and them.
  public func check(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (list: CheckedSetList?, diagnostics: [Diagnostic]) {
    let document = YAMLDocument(bytes, file: file, kind: SetListReader.kind)
    if document.isEmpty {
      let start = document.root?.position ?? SourcePosition(line: 1, column: 1)
      let message = "the file is empty; a set list begins with “setlist: NAME”"
      return (nil, [Diagnostic(file: file, position: start, message: message)])
    }
    guard let root = document.root else { return (nil, document.problems) }
    var reader = SetListReader(file: file)
    let list = reader.setList(from: root)
    let problems = (document.problems + reader.diagnostics.diagnostics).inOrder()
    guard let list else { return (nil, problems) }
    let isRight = !problems.contains { $0.severity == .error }
    let (checked, findings) = check(list)
    return (isRight ? checked : nil, problems + findings)
  }

  /// A list that no file has.
  public func check(_ list: SetList) -> (list: CheckedSetList, diagnostics: [Diagnostic]) {
    var diagnostics = DiagnosticCollector(file: list.file)
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
      if let rack { check(song, rack.plan, list, &diagnostics) }
    }
    let checked = CheckedSetList(list: list, paths: paths, racks: racks)
    return (checked, diagnostics.diagnostics.inOrder() + findings)
  }

  private func check(
    _ song: Song, _ plan: Plan, _ list: SetList, _ diagnostics: inout DiagnosticCollector
  ) {
    let names = plan.scenes.map(\.name)
    if let scene = song.scene, !names.contains(scene.value) {
      diagnostics.error(
        scene.position, "“\(plan.name)” has no scene “\(scene.value)”",
        suggestion: nearestWord(to: scene.value, in: names))
    }
    if list.songs.contains(where: { $0.program != nil }), list.programs.isTaken(in: plan) {
      diagnostics.error(
        list.programs.position ?? song.name.position,
        "“\(plan.name)” has something else by the name “\(list.programs.name)”, so no program is heard"
          + " while it plays; say another: programs: { input: NAME }")
    }
  }
}
