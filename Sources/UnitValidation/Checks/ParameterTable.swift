import CUnit
import Documents
import UnitModel

extension Check {
  static let parameterTable = Check("parameter-table", "states its parameters sanely") { subject in
    let facts = subject.facts
    var faults: [String] = []
    let keyPaths = facts.parameters.map(\.keyPath)
    faults += repeated(keyPaths).map { "two parameters are \($0)" }
    faults += repeated(facts.parameters.compactMap { $0.overviewRank.map(String.init) })
      .map { "two parameters have the overview rank \($0)" }
    for info in facts.parameters {
      faults += ParameterRules.faults(info, in: facts).map { "\(info.keyPath): \($0)" }
    }
    for index in facts.parameters.indices {
      let row = subject.descriptor.pointee.parameters[index]
      if ParameterUnit(rawValue: row.unit.rawValue) == nil {
        faults.append("\(keyPaths[index]): no unit has the number \(row.unit.rawValue)")
      }
      if ParameterCurve(rawValue: row.curve.rawValue) == nil {
        faults.append("\(keyPaths[index]): no curve has the number \(row.curve.rawValue)")
      }
    }
    for keyPath in Set(keyPaths).intersection(facts.parameterGroupNames.keys).sorted() {
      faults.append("\(keyPath) is both a parameter and a group")
    }
    let groups = Set(facts.parameters.compactMap(\.group))
    for keyPath in facts.parameterGroupNames.keys.sorted()
    where !groups.contains(where: { $0 == keyPath || $0.hasPrefix(keyPath + ".") }) {
      faults.append("the group \(keyPath) has no parameters")
    }
    try Fault.throwAny(faults)
    return .pass(numbered(facts.parameters.count, "parameter"))
  }
}

/// What one row of a parameter table has to keep to.
private enum ParameterRules {
  static func faults(_ info: ParameterInfo, in facts: UnitFacts) -> [String] {
    naming(info) + range(info) + values(info) + relations(info, in: facts)
  }

  private static func naming(_ info: ParameterInfo) -> [String] {
    var faults: [String] = []
    if !isIdentifier(info.identifier) {
      faults.append("the identifier is not made of ASCII letters, digits and _")
    }
    for part in info.group?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    where !isIdentifier(String(part)) {
      faults.append("the group is not made of identifiers with dots between")
    }
    if info.name.isEmpty { faults.append("it has no name") }
    return faults
  }

  private static func range(_ info: ParameterInfo) -> [String] {
    let (minimum, maximum) = (info.minimum, info.maximum)
    guard minimum.isFinite, maximum.isFinite, minimum < maximum else {
      return ["the range \(minimum) to \(maximum) is none"]
    }
    var faults: [String] = []
    if !(minimum...maximum).contains(info.defaultValue) {
      faults.append("the default \(info.defaultValue) is not within \(minimum) to \(maximum)")
    }
    if info.curve == .logarithmic, minimum <= 0 {
      faults.append("a logarithmic curve cannot begin at \(minimum)")
    }
    if info.curve == .squared, minimum < 0 {
      faults.append("a squared curve cannot begin at \(minimum)")
    }
    if info.unit == .boolean, minimum != 0 || maximum != 1 {
      faults.append("a switch goes from 0 to 1, not \(minimum) to \(maximum)")
    }
    if info.unit == .pan, minimum != -1 || maximum != 1 {
      faults.append("a pan goes from -1 to 1, not \(minimum) to \(maximum)")
    }
    return faults
  }

  private static func values(_ info: ParameterInfo) -> [String] {
    guard info.unit == .indexed || !info.valueStrings.isEmpty else { return [] }
    var faults: [String] = []
    let count = Double(info.maximum) - Double(info.minimum) + 1
    if Double(info.valueStrings.count) != count {
      faults.append(
        numbered(info.valueStrings.count, "value string") + " for " + numbered(Int(count), "value"))
    }
    faults += Check.repeated(info.valueStrings).map { "two values are named \($0)" }
    if info.unit == .indexed, info.flags.contains(.rampable) {
      faults.append("values that have names cannot be ramped")
    }
    return faults
  }

  private static func relations(_ info: ParameterInfo, in facts: UnitFacts) -> [String] {
    var faults: [String] = []
    for keyPath in info.dependentParameters
    where !facts.parameters.contains(where: { $0.keyPath == keyPath }) {
      faults.append("there is no parameter \(keyPath) to depend on it")
    }
    faults += Check.repeated(info.dependentParameters).map { "\($0) depends on it twice" }
    if info.dependentParameters.contains(info.keyPath) { faults.append("it depends on itself") }
    if info.unit != .custom, info.unitName != nil {
      faults.append("it names a unit of its own, but has another")
    }
    if info.unit == .custom, (info.unitName ?? "").isEmpty {
      faults.append("its unit has no name")
    }
    if info.isPerInputBus, facts.inputBusses.isEmpty {
      faults.append("it is one for each input bus, and there is no input bus")
    }
    if info.flags.contains(.rampable), !info.flags.contains(.writable) {
      faults.append("it can be ramped but not written")
    }
    return faults
  }

  static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == 0x5F
      }
  }
}

extension Check {
  static let propertyTable = Check("property-table", "names its properties") { subject in
    let properties = subject.facts.properties
    guard !properties.isEmpty else { return .notApplicable("it has no properties") }
    var faults = repeated(properties.map(\.identifier)).map { "two properties are \($0)" }
    for property in properties {
      if !ParameterRules.isIdentifier(property.identifier) {
        faults.append("“\(property.identifier)” is not made of ASCII letters, digits and _")
      }
      if property.name.isEmpty { faults.append("\(property.identifier) has no name") }
    }
    try Fault.throwAny(faults)
    return .pass(numbered(properties.count, "property", plural: "properties"))
  }

  static let midiTable = Check("midi-table", "states its MIDI inputs and outputs") { subject in
    let unit = subject.descriptor.pointee
    let sends = unit.flags & UInt32(BL_UNIT_MIDI_OUTPUT) != 0
    var faults: [String] = []
    if unit.virtual_midi_cable_count > 256 {
      faults.append("\(unit.virtual_midi_cable_count) cables of MIDI input; 256 are possible")
    }
    if unit.virtual_midi_cable_count > 0, !subject.facts.hasMIDIInput {
      faults.append("it has cables of MIDI input, but takes no MIDI")
    }
    if unit.midi_output_names != nil, !sends {
      faults.append("it names MIDI outputs, but sends no MIDI")
    }
    if subject.facts.supportsMPE, !subject.facts.hasMIDIInput {
      faults.append("it understands MPE, but takes no MIDI")
    }
    let names = subject.facts.midiOutputNames
    if names.count > 256 { faults.append("\(names.count) MIDI outputs; 256 are possible") }
    if names.contains("") { faults.append("a MIDI output has no name") }
    faults += repeated(names).map { "two MIDI outputs are named \($0)" }
    try Fault.throwAny(faults)
    if !subject.facts.hasMIDIInput, !sends { return .notApplicable("it has no MIDI") }
    return .pass("\(subject.facts.virtualMIDICableCount) in, \(names.count) out")
  }
}
