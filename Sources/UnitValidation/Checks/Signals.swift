import CUnitHost

extension Check {
  static let silence = Check("silence", "renders silence soundly") { subject in
    let format = subject.plainFormat()
    var job = subject.constantJob(0, format, frames: 20_000)
    job.events = []
    let rendering = try subject.host(format).render(job)
    try subject.requireFinite(rendering, "in silence")
    let peak = rendering.outputs.map { $0.peak() }.max() ?? 0
    guard subject.takesAudio else { return .pass() }
    return peak > 0 ? .pass("makes sound of its own (peak \(decibels(peak)))") : .pass()
  }

  static let fullScale = Check("full-scale", "stays finite at full scale and above") { subject in
    let format = subject.plainFormat()
    for level: Float in [1, -1, 8] {
      try subject.requireFinite(
        try subject.host(format).render(subject.constantJob(level, format, frames: 8000)),
        "at a constant \(level)")
    }
    var job = subject.constantJob(0, format, frames: 8000)
    for frequency in [20.0 / 48_000, 1000.0 / 48_000, 0.5] {
      let waves = format.inputs.map { Sound(channels: $0, frames: job.frames) }
      for wave in waves {
        for channel in 0..<wave.channelCount {
          bl_fill_sine(wave.channel(channel), UInt32(job.frames), 1, frequency)
        }
      }
      job.inputs = waves
      try subject.requireFinite(
        try subject.host(format).render(job), "with a sine of \(Int(frequency * 48_000)) Hz")
    }
    return .pass()
  }

  /// Hosts flush denormals on the render thread; some do not.
  static let denormals = Check("denormals", "takes numbers too small to be normal") { subject in
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    let format = subject.plainFormat()
    for value in [Float(bitPattern: 710_000), -Float(bitPattern: 700), .leastNonzeroMagnitude] {
      for keepsDenormals in [true, false] {
        var job = subject.constantJob(value, format, frames: 2000)
        job.keepsDenormals = keepsDenormals
        try subject.requireFinite(try subject.host(format).render(job), "with an input of \(value)")
      }
    }
    return .pass()
  }

  /// The host mutes and resets a unit that yields such samples; then it has to be well again.
  static let notFinite = Check("not-finite-input", "recovers from NaN and infinity by a reset") {
    subject in
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    let format = subject.plainFormat()
    for value in [Float.nan, .infinity, -.infinity] {
      subject.note("an input of \(value)")
      let host = try subject.host(format)
      _ = try host.render(subject.constantJob(value, format, frames: 600))
      host.reset()
      let job = subject.noiseJob(format, frames: 4000, events: subject.notes(frames: 4000))
      try subject.requireFinite(try host.render(job), "after \(value), a reset and noise")
    }
    return .pass()
  }

  /// Relative to full scale.
  static func decibels(_ amplitude: Float) -> String {
    "\((200 * Double(amplitude).decibelsBy20).rounded() / 10) dB"
  }
}
