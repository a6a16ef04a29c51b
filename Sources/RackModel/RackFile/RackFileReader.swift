import Documents

/// Finds the parts of a rack in a YAML tree; goes on past errors, to report them all.
struct RackFileReader {
  var diagnostics: DiagnosticCollector

  init(file: String) {
    diagnostics = DiagnosticCollector(file: file)
  }

  mutating func rack(from value: YAMLValue) -> RackFile? {
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.position, "a rack is a map that begins with “rack: NAME”, not \(value.kind)")
      return nil
    }
    if let key = pairs.first(where: { $0.key.value == "setlist" })?.key {
      diagnostics.error(
        key.position, "this is a set list, no rack; “backline run” plays one, song by song")
      return nil
    }
    var rack = RackFile(file: diagnostics.file)
    for (key, value) in pairs.map({ ($0.key, $0.value) }) {
      switch key.value {
      case "rack": rack.name = diagnostics.text(value, of: "rack")
      case "tempo": rack.tempo = diagnostics.text(value, of: "tempo")
      case "processes": rack.processes = processes(value)
      case "inputs": rack.inputs = ports(value, of: key.value)
      case "outputs": rack.outputs = ports(value, of: key.value)
      case "units":
        rack.units = diagnostics.entries(value, of: key.value).map {
          unit(named: $0.key, from: $0.value)
        }
      case "connections": rack.connections = connections(value)
      case "controls": rack.controls = controls(value)
      case "scenes": rack.scenes = scenes(value)
      case "automation": rack.automation = automation(value)
      default:
        let known = [
          "rack", "tempo", "processes", "inputs", "outputs", "units", "connections", "controls",
          "scenes", "automation",
        ]
        diagnostics.unknown(key, in: "a rack", known: known)
      }
    }
    if !pairs.contains(where: { $0.key.value == "rack" }) {
      diagnostics.error(value.position, "the rack has no name; begin with “rack: NAME”")
    }
    return rack
  }

  private mutating func processes(_ value: YAMLValue) -> ProcessesEntry {
    var processes = ProcessesEntry()
    for (key, value) in diagnostics.entries(value, of: "processes") {
      switch key.value {
      case "patience": processes.patience = diagnostics.text(value, of: "patience")
      case "processor": processes.processor = diagnostics.text(value, of: "processor")
      case "restarts": processes.restarts = diagnostics.count(value, of: "restarts")
      default:
        diagnostics.unknown(
          key, in: "“processes”", known: ["patience", "processor", "restarts"])
      }
    }
    return processes
  }

  private mutating func ports(_ value: YAMLValue, of key: String) -> [PortEntry] {
    diagnostics.entries(value, of: key).map { name, value in
      var port = PortEntry(name: name)
      for (key, value) in diagnostics.entries(value, of: name.value, mayBeEmpty: true) {
        switch key.value {
        case "channels": port.channels = diagnostics.count(value, of: "channels")
        case "midi": port.isMIDI = diagnostics.boolean(value, of: "midi") ?? false
        case "connect": port.connect = wishes(value)
        default: diagnostics.unknown(key, in: "a port", known: ["channels", "midi", "connect"])
        }
      }
      return port
    }
  }

  /// A text, or a list of texts and of lists of texts.
  private mutating func wishes(_ value: YAMLValue) -> Located<[[String]]>? {
    guard case .sequence(let values) = value.content else {
      return diagnostics.text(value, of: "connect").map {
        Located([[$0.value]], at: value.position)
      }
    }
    let wishes = values.map { value in
      guard case .sequence(let values) = value.content else {
        return diagnostics.text(value, of: "connect").map { [$0.value] } ?? []
      }
      return values.compactMap { diagnostics.text($0, of: "connect")?.value }
    }
    return Located(wishes, at: value.position)
  }

  private mutating func unit(named name: Located<String>, from value: YAMLValue) -> UnitEntry {
    var unit = UnitEntry(name: name)
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.isNull ? name.position : value.position,
        "“\(name.value)” must be a map such as { unit: aufx/ring/bkln }, not \(value.kind)")
      return unit
    }
    for (key, value) in pairs.map({ ($0.key, $0.value) }) {
      switch key.value {
      case "unit": unit.unit = diagnostics.text(value, of: "unit")
      case "preset": unit.preset = diagnostics.text(value, of: "preset")
      case "parameters": unit.parameters = diagnostics.settings(value, of: "parameters")
      case "properties": unit.properties = diagnostics.settings(value, of: "properties")
      case "inputs": unit.inputs = diagnostics.count(value, of: "inputs")
      case "channels": unit.channels = diagnostics.count(value, of: "channels")
      case "bypass": unit.isBypassed = diagnostics.boolean(value, of: "bypass") ?? false
      case "spill": unit.spills = diagnostics.boolean(value, of: "spill") ?? false
      case "process": unit.process = diagnostics.text(value, of: "process")
      case "pipeline":
        unit.isPipelined = diagnostics.boolean(value, of: "pipeline").map {
          Located($0, at: value.position)
        }
      default:
        let known = [
          "unit", "preset", "parameters", "properties", "inputs", "channels", "bypass", "spill",
          "process", "pipeline",
        ]
        diagnostics.unknown(key, in: "a unit", known: known)
      }
    }
    if !pairs.contains(where: { $0.key.value == "unit" }) {
      diagnostics.error(
        name.position, "“\(name.value)” does not say which unit it is, as in unit: aufx/ring/bkln")
    }
    return unit
  }
}
