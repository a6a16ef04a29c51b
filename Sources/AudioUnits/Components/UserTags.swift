import AsyncSupport
import Documents
import UnitModel

/// The tags that a user gives to units: `tags.yaml`, a list of tags for each unit.
public final class UserTags: Sendable {
  /// The absolute path of the file.
  public let file: String
  private let read = Guarded<(stamp: FileStamp?, tags: [ComponentDescription: [String]])>(
    (nil, [:]))

  public init(file: String) { self.file = FilePath.absolute(file) }

  /// Returns the tags of a unit, in the order in which they were added.
  public func tags(of component: ComponentDescription) -> [String] {
    all[component] ?? []
  }

  /// Every unit with tags.
  public var all: [ComponentDescription: [String]] {
    read.withLock { read in
      let stamp = FileStamp(file)
      if stamp != read.stamp { read = (stamp, (try? load()) ?? [:]) }
      return read.tags
    }
  }

  /// Adds a tag to a unit, unless it already has it, regardless of case.
  ///
  /// - Throws: `FileError`; the file is then unchanged.
  public func add(_ tag: String, to component: ComponentDescription) throws {
    try change { tags -> Void in
      let present = tags[component] ?? []
      if !present.contains(where: { ComponentTag.areAlike($0, tag) }) {
        tags[component] = present + [tag]
      }
    }
  }

  /// Removes a tag from a unit; returns false if the unit does not have it.
  @discardableResult
  public func remove(_ tag: String, from component: ComponentDescription) throws -> Bool {
    try change { tags -> Bool in
      let present = tags[component] ?? []
      let rest = present.filter { !ComponentTag.areAlike($0, tag) }
      tags[component] = rest.isEmpty ? nil : rest
      return rest.count < present.count
    }
  }

  /// The folder containing the file.
  var folder: String { FilePath.folder(of: file) }

  private func change<Answer>(
    _ body: (inout [ComponentDescription: [String]]) -> Answer
  ) throws -> Answer {
    try Folder.make(folder)
    return try Folder.locked(folder) {
      var tags = try load()
      let answer = body(&tags)
      let map = YAMLValue.map(
        tags.sorted { "\($0.key)" < "\($1.key)" }.map { component, words in
          ("\(component)", .list(words.map(YAMLValue.text)))
        })
      try WholeFile.write(Array((tags.isEmpty ? "" : map.written).utf8), to: file)
      return answer
    }
  }

  /// Reads the tags; a missing file has none.
  ///
  /// - Throws: `FileError` with the first error.
  private func load() throws -> [ComponentDescription: [String]] {
    guard FileStamp(file) != nil else { return [:] }
    let bytes = try WholeFile.read(file, limit: YAMLValue.maximumSize)
    let diagnostics = DiagnosticCollector(file: file)
    var tags: [ComponentDescription: [String]] = [:]
    let root = YAMLValue(bytes, title: "a file of tags", diagnostics)
    if let root, !root.isNull {
      for (key, value) in (diagnostics.pairs(root, of: "tags.yaml") ?? []).map({
        ($0.key, $0.value)
      }) {
        let words = diagnostics.items(value, of: key.value, "such as [Voice, Favourite]")
        guard let component = diagnostics.value(of: key, ComponentDescription.init(written:)),
          let words
        else { continue }
        tags[component] = words.compactMap { diagnostics.text($0, of: key.value)?.value }
      }
    }
    if let problem = diagnostics.diagnostics.first {
      throw FileError(
        path: "\(file):\(problem.position.line):\(problem.position.column)",
        reason: problem.message)
    }
    return tags
  }
}
