import Foundation

/// The fast Fourier transform, radix 2, decimation in time, in double precision: Cooley and Tukey,
/// "An algorithm for the machine calculation of complex Fourier series", 1965.
enum FourierTransform {
  /// Returns the magnitudes of bins 0 to n/2 of a real signal whose length n is a power of two.
  static func magnitudes(_ signal: [Double]) -> [Double] {
    let count = signal.count
    precondition(count > 1 && count & (count - 1) == 0)
    let bits = count.trailingZeroBitCount
    var real = signal.indices.map { signal[reversed($0, bits)] }
    var imaginary = [Double](repeating: 0, count: count)
    let turns = (0..<count / 2).map { 2 * .pi * Double($0) / Double(count) }
    let (cosines, sines) = (turns.map { cos($0) }, turns.map { -sin($0) })
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        var half = 1
        while half < count {
          butterflies(real, imaginary, cosines, sines, half: half)
          half *= 2
        }
      }
    }
    return (0...count / 2).map { hypot(real[$0], imaginary[$0]) }
  }

  /// Computes one stage: butterflies of bins that are `half` apart.
  private static func butterflies(
    _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
    _ cosines: [Double], _ sines: [Double], half: Int
  ) {
    let stride = cosines.count / half
    var first = 0
    while first < real.count {
      var offset = 0
      while offset < half {
        let (upper, lower) = (first + offset, first + offset + half)
        let (c, s) = (cosines[offset * stride], sines[offset * stride])
        let turnedReal = real[lower] * c - imaginary[lower] * s
        let turnedImaginary = real[lower] * s + imaginary[lower] * c
        real[lower] = real[upper] - turnedReal
        imaginary[lower] = imaginary[upper] - turnedImaginary
        real[upper] += turnedReal
        imaginary[upper] += turnedImaginary
        offset += 1
      }
      first += 2 * half
    }
  }

  private static func reversed(_ index: Int, _ bits: Int) -> Int {
    var (rest, result) = (index, 0)
    for _ in 0..<bits {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return result
  }
}
