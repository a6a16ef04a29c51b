import Documents

/// Which entry of a file each entry of another rack comes from; nil for those that are new.
enum Matching {
  /// By name, unless a new one has taken that of one that was renamed; those that are left by what they
  /// are, so that one that was renamed keeps its lines.
  static func units(of entries: [UnitEntry], in former: [UnitEntry]) -> [Int?] {
    match(
      entries, in: former,
      by: [
        { $0.name.value == $1.name.value && $0.unit?.isFromAFile == true },
        { $0.unit?.position == $1.unit?.position && $0.unit?.value == $1.unit?.value },
        { $0.name.value == $1.name.value },
        { $0.unit?.value == $1.unit?.value },
      ])
  }

  /// By what they say; those that are left by what they have in common.
  static func chains(of chains: [ConnectionEntry], in former: [ConnectionEntry]) -> [Int?] {
    var places = match(chains, in: former, by: [{ $0.says($1) }])
    for (number, place) in places.enumerated() where place == nil {
      let free = former.indices.filter { !places.contains($0) }
      let best = free.map { ($0, former[$0].resemblance(to: chains[number])) }
        .filter { $0.1 > 0 }.max { $0.1 < $1.1 }
      places[number] = best?.0
    }
    return places
  }

  static func controls(of controls: [ControlEntry], in former: [ControlEntry]) -> [Int?] {
    match(
      controls, in: former,
      by: [
        { $0.source?.value == $1.source?.value && $0.target?.value == $1.target?.value },
        { $0.source?.value == $1.source?.value },
      ])
  }

  /// By what they lead; those that are left by how they do, so that one whose unit was renamed keeps
  /// its lines.
  static func lanes(of lanes: [LaneEntry], in former: [LaneEntry]) -> [Int?] {
    match(
      lanes, in: former,
      by: [
        { $0.target.value == $1.target.value },
        { $0.target.value.keyPath == $1.target.value.keyPath && $0.leadsLike($1) },
      ])
  }

  /// Of a scene, whose units may be called otherwise.
  static func settings(of settings: [SettingEntry], in former: [SettingEntry]) -> [Int?] {
    match(
      settings, in: former,
      by: [
        { $0.key.value == $1.key.value },
        { $0.key.value.keyPath == $1.key.value.keyPath && $0.value.value == $1.value.value },
      ])
  }

  /// The first way that fits goes before the others, for all.
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
  /// Where the order counts, what would have to go back is as good as new.
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
  /// Or has a command brought it?
  fileprivate var isFromAFile: Bool { position.line > 0 }
}

extension String {
  /// Of `echo.mix`, with its dot.
  fileprivate var keyPath: Substring { dropFirst(unitName.count) }
}

extension LaneEntry {
  /// The same points and curve, whatever it leads and wherever they stand?
  func leadsLike(_ other: LaneEntry) -> Bool {
    points.map(\.value) == other.points.map(\.value) && curve?.value == other.curve?.value
  }
}

extension ConnectionEntry {
  /// The same names and arrows, wherever they stand?
  func says(_ other: ConnectionEntry) -> Bool { text == other.text }

  /// How many arrows both have, and names, which count less.
  fileprivate func resemblance(to other: ConnectionEntry) -> Int {
    let mine = steps
    let common = other.steps.count { mine.contains($0) }
    let names = Set(endpoints.map(\.value)).intersection(other.endpoints.map(\.value)).count
    return common * 16 + names
  }

  private var steps: [[String]] {
    zip(endpoints, endpoints.dropFirst()).map { [$0.value, $1.value] }
  }

  /// With the space around its arrows that a chain in the file has.
  func text(like item: YAMLValue) -> String {
    guard case .scalar(let written, _) = item.content, !written.contains(where: \.isWhitespace)
    else { return text }
    return zip(arrows, endpoints.dropFirst()).reduce(endpoints.first?.value ?? "") {
      "\($0)\($1.0.value.rawValue)\($1.1.value)"
    }
  }
}
