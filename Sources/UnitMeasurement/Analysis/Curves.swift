/// Curves of units that change levels.
extension UnitHost {
  /// Returns the RMS output level, dB, for steady sines with these RMS input levels, dB; measured in
  /// the second half of `seconds` each, after a reset.
  package func transferCurve(
    _ levels: some Sequence<Double>, frequency: Double = 1000, seconds: Double = 0.1
  ) -> [Plot.Point] {
    let frames = Int(seconds * sampleRate)
    return levels.map { level in
      reset()
      let amplitude = Level.amplitude(level) * 2.0.squareRoot()
      let output = play(
        Signals.sine(
          frequency: frequency, sampleRate: sampleRate, amplitude: amplitude, frames: frames))
      return Plot.Point(level, Level.rms(output.suffix(frames / 2)))
    }
  }
}

/// Measurements of units that send MIDI notes.
extension UnitHost {
  /// Returns the first note that the unit starts in response to a note.
  package func note(for key: UInt8, velocity: UInt8 = 100) -> (note: UInt8, velocity: UInt8)? {
    reset()
    let earlier = sentMIDI.count
    _ = render(frames: 64, events: [.midi([0x90, key, velocity], at: 0)])
    return sentMIDI.dropFirst(earlier).first { $0.bytes[0] & 0xF0 == 0x90 }
      .map { ($0.bytes[1], $0.bytes[2]) }
  }
}

extension Plot.Point {
  /// Returns seconds and values of a signal: `count` points, each the first frame of its segment.
  package static func over(_ signal: [Float], sampleRate: Double = 48_000, count: Int = 300)
    -> [Plot.Point]
  {
    stride(from: 0, to: signal.count, by: max(1, signal.count / count)).map {
      Plot.Point(Double($0) / sampleRate, Double(signal[$0]))
    }
  }

  /// Returns seconds and peaks of segments of a millisecond, at 48 kHz.
  package static func crests(of signal: [Float]) -> [Plot.Point] {
    stride(from: 0, to: signal.count, by: 48).map { start in
      Plot.Point(
        Double(start) / 48_000,
        Double(signal[start..<min(start + 48, signal.count)].map(abs).max() ?? 0))
    }
  }

  /// Returns seconds and RMS levels in dB of segments of `window` seconds.
  package static func levels(
    of signal: [Float], sampleRate: Double = 48_000, window: Double
  ) -> [Plot.Point] {
    let frames = Int(window * sampleRate)
    return stride(from: 0, through: signal.count - frames, by: frames).map {
      Plot.Point(Double($0) / sampleRate, Level.rms(signal[$0..<$0 + frames]))
    }
  }
}
