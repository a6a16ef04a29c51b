import AudioUnits
import CUnit
import UnitModel

extension Check {
  /// If this check fails, no other check runs.
  static let functions = Check(
    listing: "functions", "has the functions that every unit needs"
  ) { subject, faults in
    faults += UnitLibrary.missingFunctions(of: subject.descriptor.pointee).map { "\($0) is NULL" }
    return .pass()
  }

  static let component = Check(listing: "component", "says what it is") { subject, faults in
    let (unit, facts) = (subject.descriptor.pointee, subject.facts)
    let codes = [
      ("type", unit.component.type), ("subtype", unit.component.subtype),
      ("manufacturer", unit.component.manufacturer),
    ]
    for (name, code) in codes where code == 0 || FourCharacterCode(rawValue: code) == nil {
      let hexadecimal = String(code, radix: 16)
      faults.append("the \(name) 0x\(hexadecimal) is not four ASCII letters or digits")
    }
    let types = FourCharacterCode.unitTypes.map(\.code)
    if let type = FourCharacterCode(rawValue: unit.component.type), !types.contains(type) {
      faults.append("the type \(type) is none that hosts know")
    }
    if unit.version == 0 { faults.append("the version is 0") }
    let texts = [
      ("name", facts.name), ("manufacturer's name", facts.manufacturerName),
      ("summary", facts.summary),
    ]
    for (name, text) in texts {
      if text.allSatisfy(\.isWhitespace) { faults.append("the \(name) is empty") }
      if text.contains(where: \.isNewline) { faults.append("the \(name) has several lines") }
    }
    return .pass("\(facts.component) \(facts.versionText)")
  }

  static let tags = Check(listing: "tags", "has tags by which it is found") { subject, faults in
    let tags = subject.facts.tags
    if tags.isEmpty { faults.append("there are no tags") }
    if tags.contains(where: { $0.allSatisfy(\.isWhitespace) }) { faults.append("a tag is empty") }
    faults += repeated(tags.map { $0.lowercased() }).map { "the tag \($0) comes twice" }
    return .pass(tags.joined(separator: ", "))
  }

  /// Returns the words that occur more than once.
  static func repeated(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { !seen.insert($0).inserted }
  }

  static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
  }

  static let busses = Check(listing: "busses", "names and sizes its busses") { subject, faults in
    let (unit, facts) = (subject.descriptor.pointee, subject.facts)
    if facts.outputBusses.isEmpty, facts.component.type != .midiProcessor {
      faults.append("there is no output bus")
    }
    if facts.isOfflineEffect, facts.inputBusses.count != 1 || facts.outputBusses.count != 1 {
      faults.append("an offline effect has one input bus and one output bus")
    }
    let maximum = unit.maximum_input_bus_count
    if maximum != 0, maximum < facts.inputBusses.count {
      faults.append(
        "the most input busses are \(maximum), but \(facts.inputBusses.count) are there")
    }
    for (side, busses) in [("input", facts.inputBusses), ("output", facts.outputBusses)] {
      faults += repeated(busses.map(\.name)).map { "two \(side) busses are named \($0)" }
      for bus in busses {
        if bus.name.isEmpty { faults.append("an \(side) bus has no name") }
        if !(1...UnitFacts.maximumChannelCount).contains(bus.defaultChannelCount) {
          faults.append("\(side) bus \(bus.name) has \(bus.defaultChannelCount) channels")
        }
      }
    }
    return .pass("\(facts.inputBusses.count) in, \(facts.outputBusses.count) out")
  }

  static let channelCapabilities = Check(
    listing: "channel-capabilities", "states channel counts that are possible"
  ) { subject, faults in
    let facts = subject.facts
    for pair in facts.channelCapabilities {
      for count in [pair.input, pair.output] where !(-2...UnitFacts.maximumChannelCount ~= count) {
        faults.append("the pair \(pair.input), \(pair.output) has an impossible count")
      }
      if pair.output == 0 { faults.append("the pair \(pair.input), 0 has no output") }
      if pair.input == 0, subject.takesAudio {
        faults.append("the pair 0, \(pair.output) has no input, but there are input busses")
      }
    }
    for output in facts.outputBusses.map(\.defaultChannelCount) {
      for (bus, input) in facts.inputBusses.map(\.defaultChannelCount).enumerated()
      where !facts.isSidechain(bus) && !facts.allows(input: input, output: output) {
        faults.append("its own default, \(input) in and \(output) out, is not among them")
      }
    }
    return .pass(
      facts.channelCapabilities.isEmpty
        ? "any, the same on every bus"
        : facts.channelCapabilities.map { "[\($0.input), \($0.output)]" }.joined(separator: " "))
  }
}
