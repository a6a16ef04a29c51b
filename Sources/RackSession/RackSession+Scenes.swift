import Documents
import RackEngine
import RackModel

extension RackSession {
  /// Sets the values of a scene, over the scene's time.
  func recall(_ name: String) async throws -> String {
    guard let scene = rack.plan.scenes.first(where: { $0.name == name }) else {
      let names = rack.plan.scenes.map(\.name)
      throw Refusal(
        names.isEmpty
          ? "the rack has no scenes"
          : "there is no scene “\(name)” in this rack; it has \(names.joined(separator: ", "))",
        suggestion: nearestWord(to: name, in: names))
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
