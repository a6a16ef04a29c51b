import UnitModel

extension Check {
  /// Ends noise or a note: the output must have fallen by 60 dB within 1.1 times the claimed tail plus
  /// 20 ms.
  static let tail = Check("tail", "rings for as long as it claims") { subject in
    guard subject.takesAudio || subject.facts.hasMIDIInput else {
      return .notApplicable("nothing goes in that could end")
    }
    if let reason = subject.reasonForNoTime { return .notApplicable(reason) }
    subject.report("tail")
    let plain = try measure(subject, [:], "")
    var verdicts = [plain]
    for preset in subject.facts.factoryPresets.prefix(16) {
      subject.report("with the preset \(preset.name): tail")
      verdicts.append(try measure(subject, preset.values, "with the preset \(preset.name): "))
    }
    let remarks = verdicts.compactMap { if case .warning(let remark) = $0 { remark } else { nil } }
    return remarks.isEmpty ? plain : .warning(remarks.joined(separator: "; "))
  }

  private static func measure(
    _ subject: Subject, _ values: [UInt64: Float], _ with: String
  ) throws -> Verdict {
    let sampleRate = 16_000.0
    // The longest measured tail, seconds.
    let longest = 20.0
    let host = try subject.host(subject.plainFormat(sampleRate: sampleRate), values: values)
    let claimed = host.tailTime
    if claimed.isNaN || claimed < 0 { throw Fault("\(with)claims a tail of \(claimed) s") }
    let burst = Int(sampleRate / 2)
    let listened = min(max(2 * claimed + 0.5, 1), longest)
    let frames = burst + host.latency + Int(listened * sampleRate)
    var job = subject.job(frames, in: host.format, blocks: [1024]) { _, buffer in
      buffer.fillWithNoise(amplitude: 0.5, seed: 11)
      for channel in 0..<buffer.format.channelCount {
        buffer[channel][burst...].update(repeating: 0)
      }
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
    if measured > claimed * 1.1 + 0.02, !(isCutShort && claimed > longest) { throw Fault(text) }
    if !isCutShort, claimed > 2 * measured + 0.5 { return .warning(text) }
    return .pass(text)
  }

  private static func written(_ seconds: Double) -> String {
    seconds.isFinite ? "\((seconds * 1000).rounded() / 1000) s" : "a tail without end"
  }
}
