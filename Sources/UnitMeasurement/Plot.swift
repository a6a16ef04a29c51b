import Foundation

/// Curves over two axes.
package struct Plot {
  package struct Point {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  package struct Curve {
    package var name: String
    package var points: [Point]

    package init(_ name: String, _ points: [Point]) { (self.name, self.points) = (name, points) }
  }

  package struct Axis {
    package var title: String
    package var range: ClosedRange<Double>
    package var ticks: [Double]
    package var isLogarithmic = false

    /// Creates an axis with a tick every `step`.
    package init(_ title: String, _ range: ClosedRange<Double>, step: Double) {
      (self.title, self.range) = (title, range)
      ticks = Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
    }

    /// A logarithmic axis from 20 Hz to 20 kHz.
    package static var frequency: Axis {
      var axis = Axis("Frequency (Hz)", 20...20_000, step: 20_000)
      axis.ticks = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
      axis.isLogarithmic = true
      return axis
    }

    package static func decibels(
      _ range: ClosedRange<Double>, step: Double, _ title: String = "Gain"
    ) -> Axis { Axis("\(title) (dB)", range, step: step) }

    package static func seconds(_ end: Double, step: Double) -> Axis {
      Axis("Time (s)", 0...end, step: step)
    }

    /// Returns the position of a value: 0 at the start of the axis, 1 at its end.
    func share(_ value: Double) -> Double {
      let (low, high) = (range.lowerBound, range.upperBound)
      return isLogarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low)
    }
  }

  /// The picture's caption: what is drawn, at which settings.
  package var title: String
  package var x: Axis
  package var y: Axis
  package var curves: [Curve]

  package init(_ title: String, x: Axis, y: Axis, _ curves: [Curve]) {
    (self.title, self.x, self.y, self.curves) = (title, x, y, curves)
  }
}
