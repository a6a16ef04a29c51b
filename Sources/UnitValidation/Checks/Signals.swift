import AudioUnits
import CUnitHost
import Glibc

extension Check {
  static let silence = Check("silence", "renders silence soundly") { subject in
    let rendering = try subject.requireFinite(subject.job(20_000) { _, _ in }, "in silence")
    let peak = rendering.outputs.map { $0.peak() }.max() ?? 0
    guard subject.takesAudio, peak > 0 else { return .pass() }
    let decibels = (200 * log10(Double(peak))).rounded() / 10
    return .pass("makes sound of its own (peak \(decibels) dB)")
  }

  static let fullScale = Check("full-scale", "stays finite at full scale and above") { subject in
    for level: Float in [1, -1, 8] {
      try subject.requireFinite(subject.constant(level, 8000), "at a constant \(level)")
    }
    for frequency in [20.0, 1000, 24_000] {
      let job = subject.job(8000, events: subject.notes(8000)) { _, wave in
        for channel in 0..<wave.format.channelCount {
          bl_fill_sine(wave.pointer(channel), UInt32(wave.frameLength), 1, frequency / 48_000)
        }
      }
      try subject.requireFinite(job, "with a sine of \(Int(frequency)) Hz")
    }
    return .pass()
  }

  /// Hosts flush denormals on the render thread, but not all of them.
  static let denormals = Check("denormals", "takes numbers too small to be normal") { subject in
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    for value in [Float(bitPattern: 710_000), -Float(bitPattern: 700), .leastNonzeroMagnitude] {
      for keepsDenormals in [true, false] {
        var job = subject.constant(value, 2000)
        job.keepsDenormals = keepsDenormals
        try subject.requireFinite(job, "with an input of \(value)")
      }
    }
    return .pass()
  }

  /// The host mutes and resets a unit that produces NaN or infinity; afterwards the unit must
  /// render again.
  static let notFinite = Check("not-finite-input", "recovers from NaN and infinity by a reset") {
    subject in
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    for value in [Float.nan, .infinity, -.infinity] {
      subject.report("an input of \(value)")
      let host = try subject.host()
      _ = try host.render(subject.constant(value, 600))
      host.reset()
      let job = subject.noise(4000, events: subject.notes(4000))
      try subject.requireFinite(job, with: host, "after \(value), a reset and noise")
    }
    return .pass()
  }
}
