import CUnit
import Documents
import UnitModel

extension Check {
  static let parameterTable = Check(
    listing: "parameter-table", "states its parameters sanely"
  ) { subject, faults in
    let facts = subject.facts
    let keyPaths = facts.parameters.map(\.keyPath)
    faults += repeated(keyPaths).map { "two parameters are \($0)" }
    faults += repeated(facts.parameters.compactMap { $0.overviewRank.map(String.init) })
      .map { "two parameters have the overview rank \($0)" }
    for (index, info) in facts.parameters.enumerated() {
      let row = subject.descriptor.pointee.parameters[index]
      if ParameterUnit(rawValue: row.unit.rawValue) == nil {
        faults.append("\(info.keyPath): no unit has the number \(row.unit.rawValue)")
      }
      if ParameterCurve(rawValue: row.curve.rawValue) == nil {
        faults.append("\(info.keyPath): no curve has the number \(row.curve.rawValue)")
      }
      faults += rowFaults(info, in: facts).map { "\(info.keyPath): \($0)" }
    }
    for keyPath in Set(keyPaths).intersection(facts.parameterGroupNames.keys).sorted() {
      faults.append("\(keyPath) is both a parameter and a group")
    }
    let groups = Set(facts.parameters.compactMap(\.group))
    for keyPath in facts.parameterGroupNames.keys.sorted()
    where !groups.contains(where: { $0 == keyPath || $0.hasPrefix(keyPath + ".") }) {
      faults.append("the group \(keyPath) has no parameters")
    }
    return .pass(numbered(facts.parameters.count, "parameter"))
  }

  /// Returns the rules that one row of a parameter table breaks.
  private static func rowFaults(_ info: ParameterInfo, in facts: UnitFacts) -> [String] {
    var faults = repeated(info.valueStrings).map { "two values are named \($0)" }
    func forbid(_ isBroken: Bool, _ fault: @autoclosure () -> String) {
      if isBroken { faults.append(fault()) }
    }
    forbid(
      !isIdentifier(info.identifier),
      "the identifier is not made of ASCII letters, digits and _")
    let group = info.group?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    forbid(
      !group.allSatisfy { isIdentifier(String($0)) },
      "the group is not made of identifiers with dots between")
    forbid(info.name.isEmpty, "it has no name")

    let (minimum, maximum) = (info.minimum, info.maximum)
    if minimum.isFinite, maximum.isFinite, minimum < maximum {
      forbid(
        !(minimum...maximum).contains(info.defaultValue),
        "the default \(info.defaultValue) is not within \(minimum) to \(maximum)")
      forbid(
        info.curve == .logarithmic && minimum <= 0,
        "a logarithmic curve cannot begin at \(minimum)")
      forbid(
        info.curve == .squared && minimum < 0, "a squared curve cannot begin at \(minimum)")
      forbid(
        info.unit == .boolean && (minimum != 0 || maximum != 1),
        "a switch goes from 0 to 1, not \(minimum) to \(maximum)")
      forbid(
        info.unit == .pan && (minimum != -1 || maximum != 1),
        "a pan goes from -1 to 1, not \(minimum) to \(maximum)")
      let count = Double(maximum) - Double(minimum) + 1
      forbid(
        (info.unit == .indexed || !info.valueStrings.isEmpty)
          && Double(info.valueStrings.count) != count,
        numbered(info.valueStrings.count, "value string") + " for "
          + numbered(Int(clamping: count), "value"))
    } else {
      faults.append("the range \(minimum) to \(maximum) is empty or not finite")
    }
    forbid(
      info.unit == .indexed && info.flags.contains(.rampable),
      "values that have names cannot be ramped")

    for keyPath in info.dependentParameters {
      forbid(
        !facts.parameters.contains { $0.keyPath == keyPath },
        "there is no parameter \(keyPath) to depend on it")
    }
    faults += repeated(info.dependentParameters).map { "\($0) depends on it twice" }
    forbid(info.dependentParameters.contains(info.keyPath), "it depends on itself")
    forbid(
      info.unit != .custom && info.unitName != nil,
      "it names a unit of its own, but has another")
    forbid(
      info.unit == .custom && (info.unitName ?? "").isEmpty, "its unit has no name")
    forbid(
      info.isPerInputBus && facts.inputBusses.isEmpty,
      "it is one for each input bus, and there is no input bus")
    forbid(
      info.flags.contains(.rampable) && !info.flags.contains(.writable),
      "it can be ramped but not written")
    forbid(
      info.flags.contains(.movedByUnit)
        && (!info.flags.contains(.writable) || info.flags.contains(.rampable) || info.isMomentary),
      "it is moved by the unit, but is not a value that can be set without a ramp")
    forbid(
      info.isMomentary
        && (info.unit != .boolean || info.defaultValue != 0 || !info.flags.contains(.writable)),
      "it is momentary but not a writable boolean with the default 0")
    return faults
  }

  static let propertyTable = Check(
    listing: "property-table", "names its properties"
  ) { subject, faults in
    let properties = subject.facts.properties
    guard !properties.isEmpty else { return .notApplicable("it has no properties") }
    faults += repeated(properties.map(\.identifier)).map { "two properties are \($0)" }
    for property in properties {
      if !isIdentifier(property.identifier) {
        faults.append("“\(property.identifier)” is not made of ASCII letters, digits and _")
      }
      if property.name.isEmpty { faults.append("\(property.identifier) has no name") }
    }
    return .pass(numbered(properties.count, "property", plural: "properties"))
  }

  static let presetTable = Check(
    listing: "preset-table", "has presets within its ranges"
  ) { subject, faults in
    let presets = subject.facts.factoryPresets
    guard !presets.isEmpty else { return .notApplicable("it has no factory presets") }
    faults += repeated(presets.map(\.name)).map { "two presets are named \($0)" }
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
        } else if info.isWhole, value != value.rounded() {
          faults.append("\(preset.name): \(info.keyPath) is \(value), not a whole number")
        }
      }
    }
    return .pass(numbered(presets.count, "preset"))
  }

  static let midiTable = Check(
    listing: "midi-table", "states its MIDI inputs and outputs"
  ) { subject, faults in
    let (unit, facts) = (subject.descriptor.pointee, subject.facts)
    let sends = unit.flags & UInt32(BL_UNIT_MIDI_OUTPUT) != 0
    let names = facts.midiOutputNames
    if unit.virtual_midi_cable_count > 256 {
      faults.append("\(unit.virtual_midi_cable_count) cables of MIDI input; 256 are possible")
    }
    if unit.virtual_midi_cable_count > 0, !facts.hasMIDIInput {
      faults.append("it has cables of MIDI input, but takes no MIDI")
    }
    if unit.midi_output_names != nil, !sends {
      faults.append("it names MIDI outputs, but sends no MIDI")
    }
    if facts.supportsMPE, !facts.hasMIDIInput {
      faults.append("it understands MPE, but takes no MIDI")
    }
    if names.count > 256 { faults.append("\(names.count) MIDI outputs; 256 are possible") }
    if names.contains("") { faults.append("a MIDI output has no name") }
    faults += repeated(names).map { "two MIDI outputs are named \($0)" }
    if !facts.hasMIDIInput, !sends { return .notApplicable("it has no MIDI") }
    return .pass("\(facts.virtualMIDICableCount) in, \(names.count) out")
  }
}
