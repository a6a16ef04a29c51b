import Documents

extension PlannedScene {
  /// The most values of a scene: few enough for one cycle.
  static let maximumValues = 256
}

extension RackContext {
  /// Checks a file's scenes, and reports errors to `diagnostics`.
  func scenes(_ entries: [Rack.Scene]) -> [PlannedScene] {
    entries.map { entry in
      do throws(Refusal) { try NameRules.checkScene(entry.name.value) } catch {
        diagnostics.error(entry.name.position, error.description)
      }
      var scene = PlannedScene(name: entry.name.value, values: [])
      if let time = entry.time {
        scene.time = Double(value(time, for: PlannedScene.timeInfo, name: "over") ?? 0)
      }
      var first: [ControlTarget: SourcePosition] = [:]
      for setting in entry.values {
        guard let (target, info) = target(setting.key),
          let value = value(setting.value, for: info, name: setting.key.value)
        else { continue }
        if let position = first[target] {
          diagnostics.error(
            setting.key.position,
            "“\(setting.key.value)” is given twice, first on line \(position.line)")
        }
        first[target] = setting.key.position
        scene.values.append(.init(target: target, value: value))
      }
      if entry.values.count > PlannedScene.maximumValues {
        diagnostics.error(
          entry.name.position,
          "a scene sets at most \(PlannedScene.maximumValues) values; this one sets "
            + "\(entry.values.count)")
      }
      return scene
    }
  }
}
