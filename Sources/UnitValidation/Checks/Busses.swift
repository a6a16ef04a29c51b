import CUnit
import UnitModel

extension Check {
  static let busses = Check("busses", "names and sizes its busses") { subject in
    let facts = subject.facts
    var faults: [String] = []
    let isMIDIProcessor = subject.descriptor.pointee.component.type == midiProcessor
    if facts.outputBusses.isEmpty, !isMIDIProcessor { faults.append("there is no output bus") }
    let maximum = subject.descriptor.pointee.maximum_input_bus_count
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
    try Fault.throwAny(faults)
    return .pass("\(facts.inputBusses.count) in, \(facts.outputBusses.count) out")
  }

  private static let midiProcessor: UInt32 = 0x6175_6D69

  static let channelCapabilities = Check(
    "channel-capabilities", "states channel counts that are possible"
  ) { subject in
    let facts = subject.facts
    var faults: [String] = []
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
    try Fault.throwAny(faults)
    return .pass(
      facts.channelCapabilities.isEmpty
        ? "any, the same on every bus"
        : facts.channelCapabilities.map { "[\($0.input), \($0.output)]" }.joined(separator: " "))
  }
}
