import Documents

/// Matches the entries of a rack with those of a former version of it. Each function returns the index of
/// each entry's match, nil for a new entry.
enum EntryMatching {
  /// Matches units by identity; then, where the file was read anew, by line, by name and by component.
  static func units(of entries: [Rack.Unit], in former: [Rack.Unit]) -> [Int?] {
    match(
      entries, in: former,
      by: [
        { $0.id == $1.id },
        {
          $0.unit?.isFromAFile == true && $0.unit?.position == $1.unit?.position
            && $0.unit?.value == $1.unit?.value
        },
        { $0.name.value == $1.name.value },
        { $0.unit?.value == $1.unit?.value },
      ])
  }

  /// Matches equal chains first, and then those that have the most cables and names in common.
  static func chains(of chains: [Rack.Chain], in former: [Rack.Chain]) -> [Int?] {
    var indices = match(chains, in: former, by: [{ $0.text == $1.text }])
    for (number, index) in indices.enumerated() where index == nil {
      let free = former.indices.filter { !indices.contains($0) }
      let best = free.map { ($0, former[$0].similarity(to: chains[number])) }
        .filter { $0.1 > 0 }.max { $0.1 < $1.1 }
      indices[number] = best?.0
    }
    return indices
  }

  /// Matches entries by source and target, and then by source.
  static func entries<Entry: ListedEntry>(_ entries: [Entry], in former: [Entry]) -> [Int?] {
    match(
      entries, in: former,
      by: [
        { $0.source?.value == $1.source?.value && $0.target?.value == $1.target?.value },
        { $0.source?.value == $1.source?.value },
      ])
  }

  /// Matches lanes by target, and then by parameter and points, so that a lane whose unit was renamed keeps
  /// its lines.
  static func lanes(of lanes: [Rack.Lane], in former: [Rack.Lane]) -> [Int?] {
    match(
      lanes, in: former,
      by: [
        { $0.target.value == $1.target.value },
        { $0.target.value.keyPath == $1.target.value.keyPath && $0.tree == $1.tree },
      ])
  }

  /// Matches scenes by name and by line. A new scene with the former name of a renamed one is not its
  /// match.
  static func scenes(of scenes: [Rack.Scene], in former: [Rack.Scene]) -> [Int?] {
    match(
      scenes, in: former,
      by: [
        { $0.name.isFromAFile && $0.name.value == $1.name.value },
        { $0.name.isFromAFile && $0.name.position == $1.name.position },
        { $0.name.value == $1.name.value },
      ])
  }

  /// Matches the settings of a scene by key, and then by parameter and value, since a unit may have been
  /// renamed.
  static func settings(of settings: [Setting], in former: [Setting]) -> [Int?] {
    match(
      settings, in: former,
      by: [
        { $0.key.value == $1.key.value },
        { $0.key.value.keyPath == $1.key.value.keyPath && $0.value.value == $1.value.value },
      ])
  }

  /// Matches entries by the first of `ways`, then the rest by the second, and so on.
  private static func match<Entry>(
    _ entries: [Entry], in former: [Entry], by ways: [(Entry, Entry) -> Bool]
  ) -> [Int?] {
    var indices = [Int?](repeating: nil, count: entries.count)
    var free = Set(former.indices)
    for fits in ways {
      for (number, entry) in entries.enumerated() where indices[number] == nil {
        guard let index = free.sorted().first(where: { fits(entry, former[$0]) }) else { continue }
        indices[number] = index
        free.remove(index)
      }
    }
    return indices
  }
}

extension [Int?] {
  /// The matches with nil for indices that do not ascend: where the order counts, those entries are new.
  var ascending: [Int?] {
    var last = -1
    return map { index in
      guard let index, index > last else { return nil }
      last = index
      return index
    }
  }
}

extension Located {
  /// Whether the value was read from a file; the values of commands have no position.
  fileprivate var isFromAFile: Bool { position.line > 0 }
}

extension String {
  /// The part after the unit's name: `.mix` in `echo.mix`.
  fileprivate var keyPath: Substring { dropFirst(unitName.count) }
}

extension Rack.Chain {
  /// Returns the number of common cables, times 16, plus the number of common names.
  fileprivate func similarity(to other: Rack.Chain) -> Int {
    let mine = steps
    let common = other.steps.count { mine.contains($0) }
    let names = Set(endpoints.map(\.value)).intersection(other.endpoints.map(\.value)).count
    return common * 16 + names
  }

  private var steps: [[String]] {
    zip(endpoints, endpoints.dropFirst()).map { [$0.value, $1.value] }
  }
}
