import Foundation

/// A sine of a known frequency, fitted to a signal by least squares.
package struct SineFit {
  package var amplitude: Double
  /// The phase, radians; 0 if the sine starts at the first sample.
  package var phase: Double
  /// The RMS of the signal minus the sine.
  package var residual: Double

  package init(_ samples: some Collection<Float>, frequency: Double, sampleRate: Double) {
    var sineSine = 0.0
    var sineCosine = 0.0
    var cosineCosine = 0.0
    var sampleSine = 0.0
    var sampleCosine = 0.0
    let step = 2 * .pi * frequency / sampleRate
    for (index, sample) in samples.enumerated() {
      let (s, c) = (sin(step * Double(index)), cos(step * Double(index)))
      sineSine += s * s
      sineCosine += s * c
      cosineCosine += c * c
      sampleSine += Double(sample) * s
      sampleCosine += Double(sample) * c
    }
    let determinant = sineSine * cosineCosine - sineCosine * sineCosine
    let a = (sampleSine * cosineCosine - sampleCosine * sineCosine) / determinant
    let b = (sampleCosine * sineSine - sampleSine * sineCosine) / determinant
    amplitude = (a * a + b * b).squareRoot()
    phase = atan2(b, a)
    var sum = 0.0
    for (index, sample) in samples.enumerated() {
      let (s, c) = (sin(step * Double(index)), cos(step * Double(index)))
      let rest = Double(sample) - a * s - b * c
      sum += rest * rest
    }
    residual = (sum / Double(samples.count)).squareRoot()
  }

  /// Fits a sine whose frequency is near `guess`, in Hz; the phases of the two halves give the
  /// exact frequency.
  package init(_ samples: some Collection<Float>, near guess: Double, sampleRate: Double) {
    let half = samples.count / 2
    let phases = [Array(samples.prefix(half)), Array(samples.dropFirst(half))].map {
      SineFit($0, frequency: guess, sampleRate: sampleRate).phase
    }
    let time: Double = 2 * .pi * Double(half) / sampleRate
    let off = (phases[1] - phases[0] - guess * time).remainder(dividingBy: 2 * .pi)
    self.init(samples, frequency: guess + off / time, sampleRate: sampleRate)
  }
}
