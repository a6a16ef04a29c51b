import Documents

/// For each entry of a rack, its place in a former version of the rack; nil for new entries.
enum EntryMatching {
  /// By identity; then, where the file was read anew, by line, by name and by component.
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

  /// Equal chains first; then those that have the most cables and names in common.
  static func chains(of chains: [Rack.Chain], in former: [Rack.Chain]) -> [Int?] {
    var places = match(chains, in: former, by: [{ $0.text == $1.text }])
    for (number, place) in places.enumerated() where place == nil {
      let free = former.indices.filter { !places.contains($0) }
      let best = free.map { ($0, former[$0].similarity(to: chains[number])) }
        .filter { $0.1 > 0 }.max { $0.1 < $1.1 }
      places[number] = best?.0
    }
    return places
  }

  /// By source and target, or by the source.
  static func entries<Entry: ListedEntry>(_ entries: [Entry], in former: [Entry]) -> [Int?] {
    match(
      entries, in: former,
      by: [
        { $0.source?.value == $1.source?.value && $0.target?.value == $1.target?.value },
        { $0.source?.value == $1.source?.value },
      ])
  }

  /// By target; then by parameter and points, so that a lane whose unit was renamed keeps its lines.
  static func lanes(of lanes: [Rack.Lane], in former: [Rack.Lane]) -> [Int?] {
    match(
      lanes, in: former,
      by: [
        { $0.target.value == $1.target.value },
        { $0.target.value.keyPath == $1.target.value.keyPath && $0.tree == $1.tree },
      ])
  }

  /// By name, unless a new scene has the former name of a renamed one.
  static func scenes(of scenes: [Rack.Scene], in former: [Rack.Scene]) -> [Int?] {
    match(
      scenes, in: former,
      by: [
        { $0.name.isFromAFile && $0.name.value == $1.name.value },
        { $0.name.isFromAFile && $0.name.position == $1.name.position },
        { $0.name.value == $1.name.value },
      ])
  }

  /// The settings of a scene, whose units may have been renamed.
  static func settings(of settings: [Setting], in former: [Setting]) -> [Int?] {
    match(
      settings, in: former,
      by: [
        { $0.key.value == $1.key.value },
        { $0.key.value.keyPath == $1.key.value.keyPath && $0.value.value == $1.value.value },
      ])
  }

  /// Entries that the first of `ways` matches are taken first, then those of the second, and so on.
  private static func match<Entry>(
    _ entries: [Entry], in former: [Entry], by ways: [(Entry, Entry) -> Bool]
  ) -> [Int?] {
    var places = [Int?](repeating: nil, count: entries.count)
    var free = Set(former.indices)
    for fits in ways {
      for (number, entry) in entries.enumerated() where places[number] == nil {
        guard let place = free.sorted().first(where: { fits(entry, former[$0]) }) else { continue }
        places[number] = place
        free.remove(place)
      }
    }
    return places
  }
}

extension [Int?] {
  /// The same with nil for places that do not ascend: where the order counts, those entries are new.
  var ascending: [Int?] {
    var last = -1
    return map { place in
      guard let place, place > last else { return nil }
      last = place
      return place
    }
  }
}

extension Located {
  /// Whether it was read from a file; a command's values have no position.
  fileprivate var isFromAFile: Bool { position.line > 0 }
}

extension String {
  /// The part behind the unit's name: `.mix` of `echo.mix`.
  fileprivate var keyPath: Substring { dropFirst(unitName.count) }
}

extension Rack.Chain {
  /// How many cables both have, times 16, and how many names.
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
