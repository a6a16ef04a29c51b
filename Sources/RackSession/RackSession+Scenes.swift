import Documents
import RackEngine
import RackModel

/// The state of the units at the start of a scene.
struct SceneStart {
  /// The scene that was recalled or stored last; nil without one.
  var name: String?
  /// The units as that scene left them; without a scene, as they were loaded.
  var units: [PlannedUnit]
}

extension RackSession {
  /// Sets the values of a scene over the scene's time; returns a description.
  func recall(_ name: String) async throws -> String {
    guard let scene = rack.plan.scenes.first(where: { $0.name == name }) else {
      throw Refusal(noScene: name, in: rack.plan.scenes.map(\.name))
    }
    var values: [History.Value] = []
    for value in scene.values {
      guard let path = path(of: value.target), let found = try? find(path) else { continue }
      if found.info.isStored {
        values.append(History.Value(path: path, before: found.value, after: value.value))
      }
      if scene.time > 0, !path.isBypass {
        try ramp(found, to: value.value, over: scene.time)
      } else {
        try await apply(value.value, to: path)
      }
    }
    history.add(.values(values), title: "scene \(name)", from: sceneStart)
    startScene(name)
    return "scene \(name)"
  }

  /// Records that a scene was recalled or stored; nil if no scene is current any more.
  func startScene(_ name: String?) {
    let present = rack.withValues(of: feed.units)
    let scene = rack.plan.scenes.first { $0.name == name }
    let start = scene.map { present.starting(in: $0) } ?? present
    sceneStart = SceneStart(name: name, units: start.plan.units)
  }

  /// Adds new units of the rack, which count as unmoved, to the scene start, and drops units that are gone.
  func followScene() {
    sceneStart.units = rack.plan.units.map { unit in
      guard let former = sceneStart.units.first(where: { $0.isSameUnit(as: unit) }) else {
        return unit
      }
      var unit = unit
      unit.adopt(former.values, of: former.facts)
      return unit
    }
  }

  /// Records that a MIDI control has recalled a scene, which undo does not cover.
  func followRecall(_ name: String) {
    startScene(name)
    history.removeSceneStarts()
  }

  func path(of target: ControlTarget) -> ParameterPath? {
    switch target {
    case .bypass(let index):
      return ParameterPath(unit: rack.plan.units[index].name, keyPath: ParameterPath.bypass)
    case .parameter(let index, let address):
      let name = rack.plan.units[index].name
      return unit(named: name)?.facts.parameter(at: address).map {
        ParameterPath(unit: name, keyPath: $0.keyPath)
      }
    }
  }
}
