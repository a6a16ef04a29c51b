import CUnit
import Documents
import UnitModel

extension Subject {
  /// The channel counts that the unit says it takes; where it leaves them open, some of them.
  var claimedFormats: [UnitFormat] {
    let capabilities =
      facts.channelCapabilities.isEmpty
      ? [ChannelCapability(input: -1, output: -1)] : facts.channelCapabilities
    var formats: [UnitFormat] = []
    for pair in capabilities {
      let isSame = pair.input == -1 && pair.output == -1
      let open = isSame ? [1, 2, 3, 8, UnitFacts.maximumChannelCount] : [1, 2, 5]
      for output in pair.output < 0 ? open : [pair.output] {
        for input in isSame ? [output] : pair.input < 0 ? open : [pair.input] {
          formats.append(
            UnitFormat(
              inputs: inputs(of: input),
              outputs: facts.outputBusses.map { _ in output })
          )
        }
        if !takesAudio {
          formats.append(UnitFormat(inputs: [], outputs: facts.outputBusses.map { _ in output }))
        }
      }
    }
    // What is impossible is another check's business.
    return formats.filter { format in
      let counts = format.inputs + format.outputs
      return (takesAudio || format.inputs.isEmpty)
        && counts.allSatisfy { 1...UnitFacts.maximumChannelCount ~= $0 }
    }
  }
}

extension Subject {
  /// So many channels on every input bus, on sidechains as many of them as these take.
  fileprivate func inputs(of count: Int) -> [Int] {
    plainInputs.indices.map { bus in
      guard facts.isSidechain(bus) else { return count }
      return min(count, facts.possibleInputCounts(ofBus: bus).last ?? count)
    }
  }
}

extension Check {
  static let sampleRates = Check("sample-rates", "renders at any sample rate from 8 to 192 kHz") {
    subject in
    let rates: [Double] = [
      8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
    ]
    for sampleRate in rates {
      let format = subject.plainFormat(sampleRate: sampleRate)
      try renderOnce(subject, format, "at \(Int(sampleRate)) Hz")
    }
    return .pass(numbered(rates.count, "rate"))
  }

  static let formats = Check("formats", "renders with every channel count that it claims") {
    subject in
    let formats = subject.claimedFormats
    for format in formats {
      try renderOnce(subject, format, "with \(format.inputs) channels in, \(format.outputs) out")
    }
    return .pass(numbered(formats.count, "format"))
  }

  private static func renderOnce(_ subject: Subject, _ format: UnitFormat, _ when: String) throws {
    subject.note(when)
    let events = subject.events(frames: 2500, in: format)
    let rendering = try subject.host(format).render(
      subject.noiseJob(format, frames: 2500, events: events))
    try subject.requireFinite(rendering, when)
  }

  static let refusals = Check("refusals", "refuses channel counts that it does not claim") {
    subject in
    let range = 1...UnitFacts.maximumChannelCount
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    for (input, output) in [(2, 3), (1, 2), (7, 2), (32, 31)]
    where range.contains(input) && !subject.facts.allows(input: input, output: output) {
      let format = UnitFormat(
        inputs: subject.inputs(of: input),
        outputs: subject.facts.outputBusses.map { _ in output })
      subject.note("\(format)")
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
