import Glibc
import UnitModel

extension Double {
  /// Tenfold this is decibels by half: log10 of an amplitude.
  var decibelsBy20: Double { self > 0 ? log10(self) : -.infinity }
}

extension Check {
  /// An impulse goes through: the claim has to lie between the first sound and the loudest.
  static let latency = Check("latency", "lags by what it claims") { subject in
    guard subject.takesAudio, !subject.facts.outputBusses.isEmpty else {
      return .notApplicable("it takes no audio")
    }
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
    // A delay that a parameter sets is what the unit is for; latency is what nobody asked for.
    for parameter in subject.parameters(in: subject.plainFormat()) {
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

  /// Silence before the impulse: a modulator may begin at zero.
  private static let runIn = 100

  private struct Arrival {
    var claimed: Int
    var first: Int
    var loudest: Int
  }

  /// Nil where nothing comes out.
  private static func measure(_ subject: Subject, _ values: [UInt64: Float]) throws -> Arrival? {
    let format = subject.plainFormat()
    let frames = 96_000
    let host = try subject.host(format, values: values)
    var job = RenderJob(frames: frames)
    job.memory = subject.plainMemory
    job.blockSizes = [1024]
    job.inputs = format.inputs.map { channels in
      let impulse = Sound(channels: channels, frames: frames)
      for channel in 0..<channels { impulse.channel(channel)[runIn] = 0.9 }
      return impulse
    }
    let output = try host.render(job).outputs[0]
    let peak = output.peak(from: runIn)
    guard peak > 1e-6, peak.isFinite,
      let first = output.firstFrame(above: peak / 1000, from: runIn),
      let loudest = output.firstFrame(above: peak * 0.999, from: runIn)
    else { return nil }
    return Arrival(claimed: host.latency, first: first - runIn, loudest: loudest - runIn)
  }
}
