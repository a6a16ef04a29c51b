import Documents

/// The tree of a rack file, changed into that of another rack; what both say alike stays as it is.
struct RackTree {
  private(set) var root: YAMLValue
  private let base: RackFile

  /// `base` is what `root` says.
  init(_ root: YAMLValue, saying base: RackFile) { (self.root, self.base) = (root, base) }

  private static let sections = [
    "rack", "tempo", "processes", "inputs", "outputs", "units", "connections", "controls", "scenes",
    "automation",
  ]

  func becoming(_ target: RackFile) -> YAMLValue {
    var tree = self
    tree.root.setText("rack", base.name?.value, target.name?.value)
    tree.root.setText(
      "tempo", base.tempo?.value, target.tempo?.value, before: Array(Self.sections.dropFirst(2)))
    tree.edit(processes: target.processes)
    tree.edit("inputs", base.inputs, target.inputs)
    tree.edit("outputs", base.outputs, target.outputs)
    tree.edit(units: target.units)
    tree.edit(connections: target.connections)
    tree.edit(controls: target.controls)
    tree.edit(scenes: target.scenes)
    tree.edit(automation: target.automation)
    return tree.root
  }

  /// A section's value, which comes where people look for it.
  private mutating func set(_ section: String, to value: YAMLValue) {
    let following = Self.sections.drop { $0 != section }.dropFirst()
    root.set(section, to: value, before: Array(following))
  }

  private mutating func edit(processes target: ProcessesEntry) {
    let former = base.processes
    var value = root["processes"] ?? .map([])
    value.setText("patience", former.patience?.value, target.patience?.value)
    value.setText("processor", former.processor?.value, target.processor?.value)
    value.setText(
      "restarts", former.restarts.map { "\($0.value)" }, target.restarts.map { "\($0.value)" })
    if root["processes"] != nil || !value.pairs.isEmpty { set("processes", to: value) }
  }

  private mutating func edit(_ section: String, _ former: [PortEntry], _ target: [PortEntry]) {
    guard !former.isEmpty || !target.isEmpty else { return }
    var value = root[section] ?? .map([])
    let pairs = value.pairs
    value.pairs = target.map { entry in
      guard let place = former.firstIndex(where: { $0.name.value == entry.name.value }) else {
        return YAMLPair(key: .edited(entry.name.value), value: YAMLValue(entry))
      }
      var port = pairs[place].value
      port.edit(former[place], entry)
      return YAMLPair(key: pairs[place].key, value: port)
    }
    set(section, to: value)
  }

  private mutating func edit(units target: [UnitEntry]) {
    guard !base.units.isEmpty || !target.isEmpty else { return }
    var value = root["units"] ?? .map([])
    let pairs = value.pairs
    let places = Matching.units(of: target, in: base.units)
    value.pairs = zip(target, places).map { entry, place in
      guard let place else {
        return YAMLPair(key: .edited(entry.name.value), value: YAMLValue(entry))
      }
      var key = pairs[place].key
      key.value = entry.name.value
      var unit = pairs[place].value
      unit.edit(base.units[place], entry)
      return YAMLPair(key: key, value: unit)
    }
    set("units", to: value)
  }

  private mutating func edit(connections target: [ConnectionEntry]) {
    guard !base.connections.isEmpty || !target.isEmpty else { return }
    var value = root["connections"] ?? .list([])
    let items = value.items
    let places = Matching.chains(of: target, in: base.connections)
    value.items = zip(target, places).map { chain, place in
      guard let place else { return .text(chain.text) }
      let former = base.connections[place]
      if former.says(chain) { return items[place] }
      return items[place].saying(chain.text(like: items[place]))
    }
    set("connections", to: value)
  }

  private mutating func edit(controls target: [ControlEntry]) {
    guard !base.controls.isEmpty || !target.isEmpty else { return }
    var value = root["controls"] ?? .list([])
    let items = value.items
    let places = Matching.controls(of: target, in: base.controls).ascending
    value.items = zip(target, places).map { control, place in
      guard let place else { return YAMLValue(control) }
      var item = items[place]
      item.edit(base.controls[place], control)
      return item
    }
    set("controls", to: value)
  }

  private mutating func edit(scenes target: [SceneEntry]) {
    guard !base.scenes.isEmpty || !target.isEmpty else { return }
    var value = root["scenes"] ?? .map([])
    let pairs = value.pairs
    value.pairs = target.map { entry in
      guard let place = base.scenes.firstIndex(where: { $0.name.value == entry.name.value }) else {
        return YAMLPair(key: .edited(entry.name.value), value: YAMLValue(entry))
      }
      var scene = pairs[place].value
      scene.edit(base.scenes[place], entry)
      return YAMLPair(key: pairs[place].key, value: scene)
    }
    set("scenes", to: value)
  }

  private mutating func edit(automation target: [LaneEntry]) {
    guard !base.automation.isEmpty || !target.isEmpty else { return }
    var value = root["automation"] ?? .map([])
    let pairs = value.pairs
    let places = Matching.lanes(of: target, in: base.automation)
    value.pairs = zip(target, places).map { lane, place in
      guard let place else {
        return YAMLPair(key: .edited(lane.target.value), value: YAMLValue(lane))
      }
      var key = pairs[place].key
      key.value = lane.target.value
      return YAMLPair(
        key: key,
        value: base.automation[place].leadsLike(lane) ? pairs[place].value : YAMLValue(lane))
    }
    set("automation", to: value)
  }
}
