import UnitModel

extension ParameterInfo {
  /// Returns the predicates of a control port.
  func predicates(_ common: [String], initial: Float) -> [String] {
    let isInput = flags.contains(.writable)
    var result = ["a lv2:\(isInput ? "Input" : "Output")Port, lv2:ControlPort"] + common
    if isInput { result.append("lv2:default \(Turtle.number(isMomentary ? 0 : initial))") }
    result.append("lv2:minimum \(Turtle.number(minimum))")
    result.append("lv2:maximum \(Turtle.number(maximum))")
    if !properties.isEmpty {
      result.append("lv2:portProperty \(properties.joined(separator: ", "))")
    }
    if let unitText { result.append("units:unit \(unitText)") }
    for named in namedValues {
      result.append(
        "lv2:scalePoint [ rdfs:label \(Turtle.literal(named.name)) ; rdf:value "
          + "\(Turtle.number(named.value)) ]")
    }
    return result
  }

  private var properties: [String] {
    var result: [String] = []
    if unit == .boolean { result.append("lv2:toggled") }
    if unit == .indexed { result.append("lv2:integer") }
    if unit == .indexed && !valueStrings.isEmpty { result.append("lv2:enumeration") }
    if isMomentary { result.append("pprops:trigger") }
    if curve == .logarithmic { result.append("pprops:logarithmic") }
    return result
  }

  private var unitText: String? {
    switch unit {
    case .generic, .indexed, .boolean, .pan, .midiController: nil
    case .percent: "units:pc"
    case .hertz: "units:hz"
    case .decibels: "units:db"
    case .seconds: "units:s"
    case .semitones: "units:semitone12TET"
    case .cents: "units:cent"
    case .degrees: "units:degree"
    case .ratio: "units:coef"
    case .beatsPerMinute: "units:bpm"
    case .milliseconds: "units:ms"
    case .sampleFrames: "units:frame"
    case .beats: "units:beat"
    case .octaves: "units:oct"
    case .midiNoteNumber: "units:midiNote"
    case .custom:
      unitName.map {
        "[ a units:Unit ; rdfs:label \(Turtle.literal($0)) ; units:symbol \(Turtle.literal($0)) ;"
          + " units:render \(Turtle.literal("%f \($0.replacingPercent)")) ]"
      }
    }
  }
}

extension String {
  fileprivate var replacingPercent: String { split(separator: "%").joined(separator: "%%") }
}
