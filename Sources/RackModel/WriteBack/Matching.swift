import Documents

/// Which entry of a file each entry of another rack comes from; nil for those that are new.
enum Matching {
  /// By name; those that are left by what they are, so that one that was renamed keeps its lines.
  static func units(of entries: [UnitEntry], in former: [UnitEntry]) -> [Int?] {
    match(
      entries, in: former,
      by: [
        { $0.name.value == $1.name.value },
        { $0.unit?.position == $1.unit?.position && $0.unit?.value == $1.unit?.value },
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

  /// Of a scene, whose units may be called otherwise.
  static func settings(of settings: [SettingEntry], in former: [SettingEntry]) -> [Int?] {
    func keyPath(_ entry: SettingEntry) -> Substring {
      entry.key.value.dropFirst(entry.key.value.unitName.count)
    }
    return match(
      settings, in: former,
      by: [
        { $0.key.value == $1.key.value },
        { keyPath($0) == keyPath($1) && $0.value.value == $1.value.value },
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
