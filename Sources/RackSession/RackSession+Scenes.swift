import Documents
import RackEngine
import RackModel

extension RackSession {
  /// Sets what a scene of the rack sets, in the time that it takes.
  func recall(_ name: String) async throws -> String {
    guard let scene = rack.plan.scenes.first(where: { $0.name == name }) else {
      let names = rack.plan.scenes.map(\.name)
      throw Refusal(
        names.isEmpty ? "the rack has no scenes" : "there is no scene “\(name)” in this rack",
        suggestion: nearestWord(to: name, in: names))
    }
    let frames = Int(scene.time * (await engine.status().sampleRate))
    var values: [History.Value] = []
    for value in scene.values {
      guard let (path, before) = await place(of: value.target) else { continue }
      values.append(History.Value(path: path, before: before, after: value.value))
      if case .parameter(_, let address) = value.target, frames > 0,
        let unit = await engine.audioUnit(named: path.unit)
      {
        end(path)
        try unit.rampParameter(address, to: value.value, over: frames)
      } else {
        try await give(value.value, to: path)
      }
    }
    history.add(.values(values), title: "scene \(name)")
    return "scene \(name)"
  }

  /// What a scene's target is called, and where it stands.
  private func place(of target: ControlTarget) async -> (ParameterPath, Float)? {
    switch target {
    case .bypass(let unit):
      let name = rack.plan.units[unit].name
      guard let unit = await engine.audioUnit(named: name) else { return nil }
      return (
        ParameterPath(unit: name, keyPath: ParameterPath.bypass), unit.shouldBypassEffect ? 1 : 0
      )
    case .parameter(let unit, let address):
      let name = rack.plan.units[unit].name
      guard let unit = await engine.audioUnit(named: name),
        let keyPath = unit.facts.parameter(at: address)?.keyPath,
        let value = unit.parameterValue(address)
      else { return nil }
      return (ParameterPath(unit: name, keyPath: keyPath), value)
    }
  }
}
