import Documents

/// The parts of a rack file as a tree: new ones whole, others where they say something else.
extension YAMLValue {
  /// Gives a key another text; one that has none goes, and one that had none comes.
  mutating func setText(
    _ key: String, _ former: String?, _ text: String?, before others: [String] = []
  ) {
    guard former != text else { return }
    let value = text.map {
      self[key]?.isScalar == true ? self[key]?.saying($0) ?? .text($0) : .text($0)
    }
    set(key, to: value, before: others)
  }

  private var isScalar: Bool { if case .scalar = content { true } else { false } }

  // MARK: - Ports

  init(_ port: PortEntry) {
    self = .map([])
    edit(PortEntry(name: port.name), port)
  }

  mutating func edit(_ former: PortEntry, _ port: PortEntry) {
    setText(
      "channels", former.channels.map { "\($0.value)" }, port.channels.map { "\($0.value)" })
    setSwitch("midi", former.isMIDI, port.isMIDI)
    if former.connect?.value != port.connect?.value {
      set("connect", to: port.connect.map { .wishes($0.value, over: self["connect"]) }, before: [])
    }
  }

  /// In the places of those that stand there.
  private static func wishes(_ wishes: [[String]], over former: YAMLValue?) -> YAMLValue {
    func text(_ word: String, over former: YAMLValue?) -> YAMLValue {
      former?.isScalar == true ? former?.saying(word) ?? .text(word) : .text(word)
    }
    if wishes.count == 1, wishes[0].count == 1 { return text(wishes[0][0], over: former) }
    let items = former?.items ?? []
    let words = wishes.enumerated().map { number, words in
      let item = items.indices.contains(number) ? items[number] : nil
      return words.count == 1 ? text(words[0], over: item) : .list(words.map { .text($0) })
    }
    guard var list = former, !items.isEmpty else { return .list(words) }
    list.items = words
    return list
  }

  // MARK: - Units

  init(_ unit: UnitEntry) {
    self = .map([])
    edit(UnitEntry(name: unit.name), unit)
  }

  mutating func edit(_ former: UnitEntry, _ unit: UnitEntry) {
    let settings = ["parameters", "properties", "bypass", "spill"]
    setText("unit", former.unit?.value, unit.unit?.value)
    setText(
      "preset", former.preset?.value, unit.preset?.value,
      before: ["inputs", "channels", "process", "pipeline"] + settings)
    setText(
      "inputs", former.inputs.map { "\($0.value)" }, unit.inputs.map { "\($0.value)" },
      before: settings)
    setText(
      "channels", former.channels.map { "\($0.value)" }, unit.channels.map { "\($0.value)" },
      before: settings)
    setText("process", former.process?.value, unit.process?.value, before: settings)
    setText(
      "pipeline", former.isPipelined.map { "\($0.value)" }, unit.isPipelined.map { "\($0.value)" },
      before: settings)
    edit("parameters", former.parameters, unit.parameters)
    edit("properties", former.properties, unit.properties)
    setSwitch("bypass", former.isBypassed, unit.isBypassed)
    setSwitch("spill", former.spills, unit.spills)
  }

  /// On or off in the words that stand there.
  private mutating func setSwitch(_ key: String, _ former: Bool, _ isOn: Bool) {
    guard former != isOn else { return }
    let words = [("on", "off"), ("yes", "no")]
    var text = "\(isOn)"
    if case .scalar(let word, _)? = self[key]?.content {
      for (on, off) in words where [on, off].contains(word.lowercased()) { text = isOn ? on : off }
    }
    setText(key, nil, text)
  }

  private mutating func edit(
    _ key: String, _ former: [SettingEntry], _ settings: [SettingEntry]
  ) {
    guard !former.isEmpty || !settings.isEmpty else { return }
    var value = self[key] ?? .map([])
    value.edit(former, settings)
    if !(value.pairs.isEmpty && self[key] == nil) {
      set(
        key, to: value.pairs.isEmpty && settings.isEmpty ? nil : value, before: ["bypass", "spill"])
    }
  }

  /// Values by key path, some of them in groups.
  private mutating func edit(_ former: [SettingEntry], _ settings: [SettingEntry]) {
    for entry in former where !settings.contains(where: { $0.key.value == entry.key.value }) {
      setSetting(entry.key.value, to: nil)
    }
    for entry in settings {
      let old = former.first { $0.key.value == entry.key.value }
      if old?.value.value != entry.value.value {
        setSetting(entry.key.value, to: entry.value.value)
      }
    }
  }

  /// Where the path is written, or else in the group that it belongs to.
  private mutating func setSetting(_ path: String, to text: String?) {
    if let place = pairs.firstIndex(where: { $0.key.value == path }) {
      if let text {
        pairs[place].value = pairs[place].value.saying(text)
      } else {
        pairs.remove(at: place)
      }
      return
    }
    for place in pairs.indices {
      let group = pairs[place].key.value
      guard case .mapping = pairs[place].value.content, path.hasPrefix("\(group).") else {
        continue
      }
      pairs[place].value.setSetting(String(path.dropFirst(group.count + 1)), to: text)
      if pairs[place].value.pairs.isEmpty { pairs.remove(at: place) }
      return
    }
    if let text { set(path, to: .text(text), before: []) }
  }

  // MARK: - Controls, scenes and lanes

  init(_ control: ControlEntry) {
    self = .map([])
    edit(ControlEntry(position: control.position), control)
  }

  mutating func edit(_ former: ControlEntry, _ control: ControlEntry) {
    setText("from", former.source?.value, control.source?.value)
    setText("to", former.target?.value, control.target?.value)
    if former.range?.map(\.value) != control.range?.map(\.value) {
      set("range", to: control.range.map { .list($0.map { .text($0.value) }) }, before: [])
    }
    setText("curve", former.curve?.value, control.curve?.value)
    setText("mode", former.mode?.value, control.mode?.value)
    setText(
      "pick_up", former.picksUp.map { "\($0.value)" }, control.picksUp.map { "\($0.value)" })
  }

  init(_ lane: LaneEntry) {
    let points = YAMLValue.list(lane.points.map { .text($0.value) })
    self = lane.curve.map { .map([("points", points), ("curve", .text($0.value))]) } ?? points
  }

  init(_ scene: SceneEntry) {
    self = .map([])
    edit(SceneEntry(name: scene.name), scene)
  }

  mutating func edit(_ former: SceneEntry, _ scene: SceneEntry) {
    setText("over", former.time?.value, scene.time?.value)
    let places = Matching.settings(of: scene.values, in: former.values)
    // Another name for the same target is a key of the same place.
    for (entry, place) in zip(scene.values, places) {
      guard let place, former.values[place].key.value != entry.key.value else { continue }
      rename(former.values[place].key.value, to: entry.key.value)
    }
    let renamed = zip(scene.values, places).compactMap { entry, place in
      place.map { SettingEntry(key: entry.key, value: former.values[$0].value) }
    }
    let gone = former.values.indices.filter { !places.contains($0) }.map { former.values[$0] }
    edit(renamed + gone, scene.values)
  }

  /// Also where it is written as a group: `ring: { frequency: 30 Hz }`.
  private mutating func rename(_ path: String, to new: String) {
    if let place = pairs.firstIndex(where: { $0.key.value == path }) {
      pairs[place].key.value = new
      return
    }
    let (group, name) = (String(path.unitName), String(new.unitName))
    if group != name, let place = pairs.firstIndex(where: { $0.key.value == group }) {
      pairs[place].key.value = name
    }
  }
}
