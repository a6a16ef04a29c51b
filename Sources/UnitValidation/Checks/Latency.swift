import UnitModel

extension Check {
  /// Renders an impulse: the claimed latency must lie between the first sound and the loudest.
  static let latency = Check("latency", "lags by what it claims") { subject in
    guard subject.takesAudio, !subject.facts.outputBusses.isEmpty else {
      return .notApplicable("it takes no audio")
    }
    if let reason = subject.reasonForNoTime { return .notApplicable(reason) }
    guard let plain = try measure(subject, [:]) else {
      return .notApplicable("an impulse does not come through")
    }
    if plain.claimed > 480_000 { throw Fault("claims \(plain.claimed) frames") }
    if plain.claimed > plain.loudest + 1 {
      throw Fault("claims \(plain.claimed) frames, but the sound is there after \(plain.loudest)")
    }
    guard plain.claimed < plain.first - 1 else {
      return .pass("\(plain.claimed) frames claimed, \(plain.first) to \(plain.loudest) measured")
    }
    // A delay set by a parameter is the purpose of the unit, not latency.
    for parameter in subject.parameters() {
      for value in [parameter.info.minimum, parameter.info.maximum] {
        if let moved = try measure(subject, [parameter.address: value]),
          moved.first - moved.claimed != plain.first - plain.claimed
        {
          return .pass(
            "the sound comes after \(plain.first) frames, as \(parameter.keyPath) has it")
        }
      }
    }
    throw Fault("claims \(plain.claimed) frames, but the sound comes after \(plain.first)")
  }

  /// The frame of the impulse, after silence since a modulator may begin at zero.
  private static let impulseFrame = 100

  /// The arrival times after the impulse, frames.
  private struct Arrival {
    var claimed: Int
    var first: Int
    var loudest: Int
  }

  /// Measures the arrival; nil if nothing comes out.
  private static func measure(_ subject: Subject, _ values: [UInt64: Float]) throws -> Arrival? {
    let host = try subject.host(values: values)
    let job = subject.job(96_000, blocks: [1024]) { _, impulse in
      for channel in 0..<impulse.format.channelCount { impulse[channel][impulseFrame] = 0.9 }
    }
    let output = try host.render(job).outputs[0]
    let peak = output.peak(from: impulseFrame)
    guard peak > 1e-6, peak.isFinite,
      let first = output.firstFrame(above: peak / 1000, from: impulseFrame),
      let loudest = output.firstFrame(above: peak * 0.999, from: impulseFrame)
    else { return nil }
    return Arrival(
      claimed: host.latency, first: first - impulseFrame, loudest: loudest - impulseFrame)
  }
}
