import Documents
import RackEngine
import RackModel

extension RackSession {
  /// Sets the values of a scene, over the scene's time.
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
    history.add(.values(values), title: "scene \(name)")
    sceneName = name
    return "scene \(name)"
  }

  /// Stores the present values as a scene, those on their way as where they go.
  func storeScene(_ name: String, over time: String?) async throws -> String {
    let before = await present(atEndOfRamps: true)
    var file = before.file
    file.scenes = try before.storingScene(
      name, over: time, since: sceneStart, engine.catalogue)
    let done = try await change(
      from: before, to: try RackEditor(checker(rack)).checked(file), renamed: nil,
      title: "store scene \(name)", isReported: false, isWhole: false)
    sceneName = name
    return done
  }

  /// Another scene was recalled or stored, or none counts any more.
  func noteScene() {
    let present = rack.withValues(of: feed.units)
    let scene = rack.plan.scenes.first { $0.name == sceneName }
    sceneStart =
      (scene.map { present.starting(in: $0, catalogue: engine.catalogue) } ?? present).plan.units
    feed.noteState()
  }

  /// Other units play: those that are new have not been moved.
  func followScene(renamed: (from: String, to: String)?) {
    for place in sceneStart.indices where sceneStart[place].name == renamed?.from {
      sceneStart[place].name = renamed?.to ?? sceneStart[place].name
    }
    sceneStart = rack.plan.units.map { unit in
      sceneStart.first { $0.isOneUnit(with: unit) } ?? unit
    }
  }

  /// A control has recalled a scene.
  func noteRecalled(_ name: String) { sceneName = name }

  func path(of target: ControlTarget) -> ParameterPath? {
    switch target {
    case .bypass(let place):
      return ParameterPath(unit: rack.plan.units[place].name, keyPath: ParameterPath.bypass)
    case .parameter(let place, let address):
      let name = rack.plan.units[place].name
      return unit(named: name)?.facts.parameter(at: address).map {
        ParameterPath(unit: name, keyPath: $0.keyPath)
      }
    }
  }
}
