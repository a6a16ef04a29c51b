import RackModel
import UnitModel

/// The plug-in as hosts read it.
extension PlugIn {
  var turtle: String {
    var plugIn = ["a \(classNames.joined(separator: ", "))"]
    plugIn.append("doap:name \(Turtle.literal(name))")
    if let license { plugIn.append("doap:license <\(license)>") }
    plugIn.append("doap:maintainer [ a foaf:Agent ; foaf:name \(Turtle.literal(maintainer)) ]")
    if !summary.isEmpty { plugIn.append("rdfs:comment \(Turtle.literal(summary))") }
    // Even numbers above 0 are releases.
    plugIn.append("lv2:minorVersion \(2 * (version >> 8 & 0xFF) + 2)")
    plugIn.append("lv2:microVersion \(2 * (version & 0xFF))")
    // A worker realigns a rack's paths when a latency changes.
    let hasWork = !state.isEmpty || plan.units.count > 1
    plugIn.append(
      "lv2:optionalFeature lv2:hardRTCapable, urid:map, log:log"
        + (state.isEmpty ? "" : ", state:mapPath")
        + (hasWork ? ", work:schedule" : ""))
    if hasWork { plugIn.append("lv2:extensionData work:interface") }
    if !state.isEmpty {
      plugIn.append("lv2:extensionData state:interface")
      plugIn.append("patch:writable " + state.map { "<\($0.key)>" }.joined(separator: " , "))
    }
    if let input = plan.inputs.first { plugIn.append("pg:mainInput \(group(input.symbol))") }
    if let output = plan.outputs.first { plugIn.append("pg:mainOutput \(group(output.symbol))") }
    plugIn.append(
      "lv2:port " + ports.enumerated().map(portNode).joined(separator: " , "))
    return Turtle.prefixes + audioGroups + parameterGroups + stateProperties
      + Turtle.statement("<\(uri)>", plugIn)
  }

  private var classNames: [String] { classes.map { "lv2:\($0)" } + ["lv2:Plugin", "doap:Project"] }

  private func group(_ symbol: String) -> String { "<\(uri)#group_\(symbol)>" }

  private var audioGroups: String {
    func text(_ port: RackModel.Port, _ direction: String) -> String {
      let element =
        switch port.channelCount {
        case 1: "pg:MonoGroup"
        case 2: "pg:StereoGroup"
        default: "pg:DiscreteGroup"
        }
      return Turtle.statement(
        group(port.symbol),
        [
          "a pg:\(direction)Group, \(element)", "lv2:symbol \(Turtle.literal(port.symbol))",
          "lv2:name \(Turtle.literal(port.name))",
        ])
    }
    return plan.inputs.map { text($0, "Input") }.joined()
      + plan.outputs.map { text($0, "Output") }.joined()
  }

  private var parameterGroups: String {
    groups.map {
      Turtle.statement(
        group($0.symbol),
        [
          "a pg:InputGroup", "lv2:symbol \(Turtle.literal($0.symbol))",
          "lv2:name \(Turtle.literal($0.name))",
        ])
    }.joined()
  }

  private var stateProperties: String {
    state.map {
      Turtle.statement(
        "<\($0.key)>",
        [
          "a lv2:Parameter", "rdfs:label \(Turtle.literal($0.info.name))",
          "rdfs:range \($0.info.isPath ? "atom:Path" : "atom:String")",
        ])
    }.joined()
  }

  private func portNode(_ index: Int, _ port: Port) -> String {
    let common = [
      "lv2:index \(index)", "lv2:symbol \(Turtle.literal(port.symbol))",
      "lv2:name \(Turtle.literal(port.name))",
    ]
    let ofGroup = port.group.map { ["pg:group \(group($0))"] } ?? []
    return Turtle.node(predicates(of: port.use, common) + ofGroup)
  }

  private func predicates(of use: Port.Use, _ common: [String]) -> [String] {
    switch use {
    case .audioInput(let index, let channel):
      return ["a lv2:InputPort, lv2:AudioPort"] + common
        + designation(channel, of: plan.inputs[index])
    case .audioOutput(let index, let channel):
      return ["a lv2:OutputPort, lv2:AudioPort"] + common
        + designation(channel, of: plan.outputs[index])
    case .eventInput(let hasMIDI, let hasTime):
      let kinds =
        (hasMIDI ? ["midi:MidiEvent"] : []) + (hasTime ? ["time:Position"] : [])
        + (hasTime && !state.isEmpty ? ["patch:Message"] : [])
      return ["a lv2:InputPort, atom:AtomPort"] + common
        + [
          "atom:bufferType atom:Sequence", "atom:supports \(kinds.joined(separator: ", "))",
          "lv2:portProperty lv2:connectionOptional",
        ] + (hasTime ? ["lv2:designation lv2:control"] : [])
    case .eventOutput:
      return ["a lv2:OutputPort, atom:AtomPort"] + common
        + [
          "atom:bufferType atom:Sequence", "atom:supports midi:MidiEvent",
          "lv2:portProperty lv2:connectionOptional",
        ]
    case .enabled:
      return ["a lv2:InputPort, lv2:ControlPort"] + common
        + [
          "lv2:designation lv2:enabled", "lv2:portProperty lv2:toggled", "lv2:default 1",
          "lv2:minimum 0", "lv2:maximum 1",
        ]
    case .freewheeling:
      return ["a lv2:InputPort, lv2:ControlPort"] + common
        + [
          "lv2:designation lv2:freeWheeling", "lv2:portProperty lv2:toggled, pprops:notOnGUI",
          "lv2:default 0", "lv2:minimum 0", "lv2:maximum 1",
        ]
    case .latency:
      return ["a lv2:OutputPort, lv2:ControlPort"] + common
        + [
          "lv2:designation lv2:latency", "lv2:portProperty lv2:reportsLatency, lv2:integer",
          "lv2:minimum 0", "lv2:maximum 1048576", "units:unit units:frame",
        ]
    case .bypass(_, let initial):
      return ["a lv2:InputPort, lv2:ControlPort"] + common
        + [
          "lv2:portProperty lv2:toggled", "lv2:default \(initial ? 1 : 0)", "lv2:minimum 0",
          "lv2:maximum 1",
        ]
    case .parameter(_, let parameter, let initial):
      return parameter.info.predicates(common, initial: initial)
    }
  }

  private func designation(_ channel: Int, of port: RackModel.Port) -> [String] {
    switch port.channelCount {
    case 1: ["lv2:designation pg:center"]
    case 2: ["lv2:designation \(channel == 0 ? "pg:left" : "pg:right")"]
    default: []
    }
  }
}
