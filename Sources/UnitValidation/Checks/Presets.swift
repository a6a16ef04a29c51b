import Documents
import UnitModel

extension Check {
  static let presetTable = Check("preset-table", "has presets within its ranges") { subject in
    let presets = subject.facts.factoryPresets
    guard !presets.isEmpty else { return .notApplicable("it has no factory presets") }
    var faults = repeated(presets.map(\.name)).map { "two presets are named \($0)" }
    for preset in presets {
      if preset.name.isEmpty { faults.append("a preset has no name") }
      for (address, value) in preset.values.sorted(by: { $0.key < $1.key }) {
        guard let info = subject.facts.parameter(at: address)?.info else {
          faults.append("\(preset.name): there is no parameter at address \(address)")
          continue
        }
        if !(value >= info.minimum && value <= info.maximum) {
          let range = "\(info.minimum) to \(info.maximum)"
          faults.append("\(preset.name): \(info.keyPath) is \(value), not within \(range)")
        } else if info.unit == .indexed || info.unit == .boolean, value != value.rounded() {
          faults.append("\(preset.name): \(info.keyPath) is \(value), which is no whole number")
        }
      }
    }
    try Fault.throwAny(faults)
    return .pass(numbered(presets.count, "preset"))
  }

  static let presets = Check("presets", "takes on its presets") { subject in
    let presets = subject.facts.factoryPresets
    guard !presets.isEmpty else { return .notApplicable("it has no factory presets") }
    let format = subject.plainFormat()
    for preset in presets {
      subject.note(preset.name)
      let host = try subject.host(format, values: preset.values)
      for (address, value) in preset.values where host.value(at: address) != value {
        let keyPath = subject.facts.parameter(at: address)?.keyPath ?? "\(address)"
        throw Fault("\(preset.name): \(keyPath) is \(host.value(at: address)), not \(value)")
      }
      let notes = subject.notes(frames: 3000)
      let rendering = try host.render(subject.noiseJob(format, frames: 3000, events: notes))
      try subject.requireFinite(rendering, "with the preset \(preset.name)")
    }
    return .pass(numbered(presets.count, "preset"))
  }
}
