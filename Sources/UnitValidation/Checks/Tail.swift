import UnitModel

extension Check {
  /// Noise or a note ends: what is claimed has to last until all is 60 dB below it.
  static let tail = Check("tail", "rings for as long as it claims") { subject in
    guard subject.takesAudio || subject.facts.hasMIDIInput else {
      return .notApplicable("nothing goes in that could end")
    }
    var remarks: [String] = []
    var plain = Verdict.pass()
    let settings =
      [("", [:])] + subject.facts.factoryPresets.prefix(16).map { ($0.name, $0.values) }
    for (name, values) in settings {
      let with = name.isEmpty ? "" : "with the preset \(name): "
      subject.note("\(with)tail")
      let verdict = try measure(subject, values, with)
      if name.isEmpty { plain = verdict }
      if case .warning(let remark) = verdict { remarks.append(remark) }
    }
    return remarks.isEmpty ? plain : .warning(remarks.joined(separator: "; "))
  }

  /// The longest tail that is listened to, seconds.
  private static let patience = 20.0
  private static let sampleRate = 16_000.0

  private static func measure(
    _ subject: Subject, _ values: [UInt64: Float], _ with: String
  ) throws -> Verdict {
    let format = subject.plainFormat(sampleRate: sampleRate)
    let host = try subject.host(format, values: values)
    let claimed = host.tailTime
    if claimed.isNaN || claimed < 0 { throw Fault("\(with)claims a tail of \(claimed) s") }
    let burst = Int(sampleRate / 2)
    let listened = min(max(2 * claimed + 0.5, 1), patience)
    let frames = burst + host.latency + Int(listened * sampleRate)
    var job = RenderJob(frames: frames)
    job.memory = subject.plainMemory
    job.blockSizes = [1024]
    job.inputs = format.inputs.map { channels in
      let sound = Sound.noise(channels: channels, frames: frames, amplitude: 0.5, seed: 11)
      for channel in 0..<channels {
        (sound.channel(channel) + burst).update(repeating: 0, count: frames - burst)
      }
      return sound
    }
    if subject.facts.hasMIDIInput {
      job.events = [.midi([0x90, 60, 100], at: 0), .midi([0x80, 60, 0], at: burst)]
    }
    let outputs = try host.render(job).outputs
    let end = burst + host.latency
    let loudest = outputs.map { $0.peak(to: end) }.max() ?? 0
    guard loudest > 0 else { return .pass("nothing comes out") }
    let last = outputs.compactMap { $0.lastFrame(above: loudest / 1000) }.max() ?? 0
    let measured = max(0, Double(last + 1 - end) / sampleRate)
    let text = "\(with)\(written(claimed)) claimed, \(written(measured)) measured"
    let isCutShort = measured > listened - 0.05
    if measured > claimed * 1.1 + 0.05, !(isCutShort && claimed > patience) { throw Fault(text) }
    if !isCutShort, claimed > 2 * measured + 0.5 { return .warning(text) }
    return .pass(text)
  }

  private static func written(_ seconds: Double) -> String {
    seconds.isFinite ? "\((seconds * 1000).rounded() / 1000) s" : "a tail without end"
  }
}
