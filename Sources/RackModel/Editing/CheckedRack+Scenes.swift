import Documents
import UnitModel

/// A target with the setting that a rack file writes for it.
private struct SceneValue {
  var target: ControlTarget
  var setting: Setting
}

extension CheckedRack {
  /// Returns the rack file's scenes with the present values stored as the scene `name`: the values of every
  /// target that a scene of the rack sets, and of every target that was moved.
  ///
  /// The other scenes get the former value of each moved target that no scene sets yet, so that they sound
  /// as before.
  ///
  /// - Parameters:
  ///   - time: the time of the scene's change as written; nil to keep the scene's time.
  ///   - earlier: the units before they were moved.
  /// - Throws: `Refusal` where a new scene cannot have the name.
  func storingScene(
    _ name: String, over time: String?, since earlier: [PlannedUnit]
  ) throws(Refusal) -> [Rack.Scene] {
    var scenes = file.scenes
    let known = scenes.firstIndex { $0.name.value == name }
    if known == nil { try NameRules.checkScene(name) }
    let set = file.scenes.flatMap(\.values).compactMap { value($0) }
    let isSet = Set(set.map(\.target))
    let (before, after) = moved(since: earlier)
    let former = before.filter { !isSet.contains($0.target) }.map(\.setting)
    for index in scenes.indices where index != known { scenes[index].values += former }
    var scene = known.map { scenes[$0] } ?? Rack.Scene(name, [:])
    if let time { scene.time = Located(time) }
    var stored: Set<ControlTarget> = []
    func isNew(_ value: SceneValue) -> Bool { stored.insert(value.target).inserted }
    // Settings whose target is unknown, as of a missing unit, stay as written.
    scene.values = scene.values.filter { self.value($0).map(isNew) ?? true }
      .map { value($0)?.setting ?? $0 }
    scene.values += (set + after).filter(isNew).map(\.setting)
    if let known { scenes[known] = scene } else { scenes.append(scene) }
    return scenes
  }

  /// Returns the target of a scene's setting, and the setting with the present value in the same style; nil
  /// where the target is unknown.
  private func value(_ setting: Setting) -> SceneValue? {
    guard let path = try? ParameterPath(setting.key.value),
      let index = plan.units.firstIndex(where: { $0.name == path.unit })
    else { return nil }
    let unit = plan.units[index]
    if path.isBypass {
      return SceneValue(
        target: .bypass(unit: index),
        setting: setting.with(unit.isBypassed ? 1 : 0, for: .bypass))
    }
    guard
      let parameter = unit.facts.parameter(
        atKeyPath: path.keyPath, inputBusCount: unit.inputChannelCounts.count),
      let value = plan[.parameter(unit: index, address: parameter.address)]
    else { return nil }
    return SceneValue(
      target: .parameter(unit: index, address: parameter.address),
      setting: setting.with(value, for: parameter.info))
  }

  /// Returns the targets whose values differ from the earlier units, with the former and the present
  /// values.
  private func moved(
    since earlier: [PlannedUnit]
  ) -> (before: [SceneValue], after: [SceneValue]) {
    var (before, after): ([SceneValue], [SceneValue]) = ([], [])
    func add(
      _ target: ControlTarget, _ path: ParameterPath, _ info: ParameterInfo, _ old: Float,
      _ new: Float
    ) {
      guard old != new else { return }
      let setting = { Setting("\(path)", Quantity.format($0, for: info)) }
      before.append(SceneValue(target: target, setting: setting(old)))
      after.append(SceneValue(target: target, setting: setting(new)))
    }
    for (index, unit) in plan.units.enumerated() {
      guard let former = earlier.first(where: { $0.isSameUnit(as: unit) }) else { continue }
      let facts = unit.facts
      let old = former.values.parameters
      add(
        .bypass(unit: index), ParameterPath(unit: unit.name, keyPath: ParameterPath.bypass),
        .bypass, former.isBypassed ? 1 : 0, unit.isBypassed ? 1 : 0)
      for (address, value) in unit.values.parameters.sorted(by: { $0.key < $1.key }) {
        guard let parameter = facts.parameter(at: address) else { continue }
        add(
          .parameter(unit: index, address: address),
          ParameterPath(unit: unit.name, keyPath: parameter.keyPath), parameter.info,
          old[address] ?? value, value)
      }
    }
    return (before, after)
  }
}

extension Setting {
  /// Returns the setting with a value; unchanged if the text already gives that value.
  fileprivate func with(_ number: Float, for info: ParameterInfo) -> Setting {
    let written = try? Quantity.parse(value.value, for: info, name: key.value)
    if written.map(info.nearest) == number { return self }
    var setting = self
    setting.value.value = Quantity.format(number, for: info, like: value.value)
    return setting
  }
}
