import Documents
import UnitModel

/// Checks a file's scenes.
struct SceneResolver {
  let targets: TargetResolver

  /// Few enough for one cycle.
  static let mostValues = 256

  func resolve(
    _ entries: [SceneEntry], diagnostics: inout DiagnosticCollector
  ) -> [PlannedScene] {
    entries.map { entry in
      var scene = PlannedScene(name: entry.name.value, values: [])
      if let time = entry.time,
        let seconds = targets.value(
          time, PlannedScene.timeInfo, name: "over", diagnostics: &diagnostics)
      {
        scene.time = Double(seconds)
      }
      var first: [ControlTarget: SourcePosition] = [:]
      for setting in entry.values {
        guard let (target, info) = targets.resolve(setting.key, diagnostics: &diagnostics),
          let value = targets.value(
            setting.value, info, name: setting.key.value, diagnostics: &diagnostics)
        else { continue }
        if let position = first[target] {
          diagnostics.error(
            setting.key.position,
            "“\(setting.key.value)” is given twice, first on line \(position.line)")
        }
        first[target] = setting.key.position
        scene.values.append(.init(target, value))
      }
      if entry.values.count > Self.mostValues {
        diagnostics.error(
          entry.name.position,
          "a scene sets at most \(Self.mostValues) values; this one sets \(entry.values.count)")
      }
      return scene
    }
  }
}
