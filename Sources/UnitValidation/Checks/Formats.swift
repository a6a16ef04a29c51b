import CUnit
import Documents
import UnitModel

extension Subject {
  /// The channel counts that the unit claims; a sample of those that it leaves open.
  fileprivate var claimedFormats: [UnitFormat] {
    let capabilities =
      facts.channelCapabilities.isEmpty
      ? [ChannelCapability(input: -1, output: -1)] : facts.channelCapabilities
    let formats = capabilities.flatMap { pair in
      let isSame = pair.input == -1 && pair.output == -1
      let open = isSame ? [1, 2, 3, 8, UnitFacts.maximumChannelCount] : [1, 2, 5]
      return (pair.output < 0 ? open : [pair.output]).flatMap { output in
        let inputs = isSame ? [output] : pair.input < 0 ? open : [pair.input]
        return (takesAudio ? inputs : [0]).map { format(input: $0, output: output) }
      }
    }
    // Impossible counts are the subject of another check.
    return formats.filter { format in
      (format.inputs + format.outputs).allSatisfy { 1...UnitFacts.maximumChannelCount ~= $0 }
    }
  }

  /// Returns a format with these channels on every bus; a sidechain has as many of them as it
  /// accepts.
  fileprivate func format(input: Int, output: Int) -> UnitFormat {
    UnitFormat(
      inputs: plainInputs.indices.map { bus in
        facts.isSidechain(bus)
          ? min(input, facts.possibleInputCounts(ofBus: bus).last ?? input) : input
      }, outputs: facts.outputBusses.map { _ in output })
  }

  fileprivate func renderOnce(in format: UnitFormat, _ when: String) throws {
    try requireFinite(noise(2500, in: format, events: events(2500, in: format)), when)
  }
}

extension Check {
  static let sampleRates = Check("sample-rates", "renders at any sample rate from 8 to 192 kHz") {
    subject in
    let rates: [Double] = [
      8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
    ]
    for rate in rates {
      try subject.renderOnce(in: subject.plainFormat(sampleRate: rate), "at \(Int(rate)) Hz")
    }
    return .pass(numbered(rates.count, "rate"))
  }

  static let formats = Check("formats", "renders with every channel count that it claims") {
    subject in
    let formats = subject.claimedFormats
    for format in formats {
      try subject.renderOnce(
        in: format, "with \(format.inputs) channels in, \(format.outputs) out")
    }
    return .pass(numbered(formats.count, "format"))
  }

  static let refusals = Check("refusals", "refuses channel counts that it does not claim") {
    subject in
    let range = 1...UnitFacts.maximumChannelCount
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    for (input, output) in [(2, 3), (1, 2), (7, 2), (32, 31)]
    where range.contains(input) && !subject.facts.allows(input: input, output: output) {
      let format = subject.format(input: input, output: output)
      subject.report("\(format)")
      do {
        _ = try subject.host(format)
      } catch let refusal as UnitHostError {
        guard refusal.status == bl_status(BL_ERROR_FORMAT_NOT_SUPPORTED) else {
          throw Fault("\(refusal), not BL_ERROR_FORMAT_NOT_SUPPORTED")
        }
        continue
      }
      throw Fault("takes \(input) channels in and \(output) out, which it does not claim")
    }
    return .pass()
  }
}
