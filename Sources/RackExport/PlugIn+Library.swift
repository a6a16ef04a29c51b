import RackLowering
import UnitModel

/// The plug-in as the bundle's library reads it: a line for each fact.
extension PlugIn {
  /// Returns the lines of the plug-in.
  ///
  /// - Parameters:
  ///   - libraries: the file of each unit's code in the bundle; nil for a built-in unit.
  ///   - files: the paths in the bundle, by absolute path.
  func lines(libraries: [String?], files: [String: String]) -> [String] {
    ["plug-in \(uri)"] + plan.lines(facts: facts, libraries: libraries, files: files)
      + ports.map { "port \($0.use.word)" }
      + state.map { "state \($0.unit) \($0.index) \($0.key)" }
  }
}

extension PlugIn.Port.Use {
  /// The use in the library's format.
  fileprivate var word: String {
    switch self {
    case .audioInput: "audio_input"
    case .audioOutput: "audio_output"
    case .eventInput: "event_input"
    case .eventOutput: "event_output"
    case .enabled: "enabled"
    case .freewheeling: "freewheeling"
    case .latency: "latency"
    case .bypass(let unit, _): "bypass \(unit)"
    case .parameter(let unit, let parameter, _):
      if parameter.info.isMomentary {
        "button \(unit) \(parameter.address)"
      } else if parameter.info.flags.contains(.writable) {
        "parameter \(unit) \(parameter.address)"
      } else {
        "meter \(unit) \(parameter.address)"
      }
    }
  }
}
