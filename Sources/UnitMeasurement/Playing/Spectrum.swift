import Foundation

/// A complex number: a response's magnitude and phase at one frequency.
package struct Phasor: Sendable {
  package var real: Double
  package var imaginary: Double

  package init(_ real: Double, _ imaginary: Double = 0) {
    self.real = real
    self.imaginary = imaginary
  }

  package var magnitude: Double { hypot(real, imaginary) }
  /// The phase, radians, -π to π.
  package var phase: Double { atan2(imaginary, real) }

  package static func + (left: Phasor, right: Phasor) -> Phasor {
    Phasor(left.real + right.real, left.imaginary + right.imaginary)
  }

  package static func - (left: Phasor, right: Phasor) -> Phasor {
    Phasor(left.real - right.real, left.imaginary - right.imaginary)
  }

  package static func * (left: Phasor, right: Phasor) -> Phasor {
    Phasor(
      left.real * right.real - left.imaginary * right.imaginary,
      left.real * right.imaginary + left.imaginary * right.real)
  }

  package static func / (left: Phasor, right: Phasor) -> Phasor {
    let square = right.real * right.real + right.imaginary * right.imaginary
    let product = left * Phasor(right.real, -right.imaginary)
    return Phasor(product.real / square, product.imaginary / square)
  }
}

/// The discrete Fourier transform in double precision, at any frequency.
package enum Spectrum {
  /// Returns Σ signal[n] · exp(-i·2π·frequency·n / sampleRate); for an impulse response, this is
  /// the frequency response. `frequency` in Hz.
  package static func transform(
    _ signal: [Float], at frequency: Double, sampleRate: Double = 48_000
  ) -> Phasor {
    let step = 2 * .pi * frequency / sampleRate
    var sum = Phasor(0)
    for (frame, sample) in signal.enumerated() where sample != 0 {
      let angle = (step * Double(frame)).truncatingRemainder(dividingBy: 2 * .pi)
      sum.real += Double(sample) * cos(angle)
      sum.imaginary -= Double(sample) * sin(angle)
    }
    return sum
  }

  /// Returns the amplitude of a sine of `frequency` Hz in the signal, which should contain whole
  /// periods.
  package static func amplitude(
    _ signal: [Float], at frequency: Double, sampleRate: Double = 48_000
  ) -> Double {
    2 * transform(signal, at: frequency, sampleRate: sampleRate).magnitude / Double(signal.count)
  }
}
