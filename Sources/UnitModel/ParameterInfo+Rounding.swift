import Glibc

extension ParameterInfo {
  /// Returns the possible value nearest to `value`, rounded to five significant digits and to a
  /// millionth of the range.
  public func rounded(_ value: Float) -> Float {
    let nearest = nearest(to: value)
    guard nearest != 0, nearest.isFinite, minimum < maximum else { return nearest }
    let least = log10(Double(maximum) - Double(minimum)).rounded(.down) - 6
    let digit = max(log10(Double(nearest.magnitude)).rounded(.down) - 4, least)
    // Powers of ten below 1 are not exact in binary; those above are.
    let scale = pow(10, digit.magnitude)
    let exact = Double(nearest)
    let short =
      digit < 0 ? (exact * scale).rounded() / scale : (exact / scale).rounded() * scale
    return self.nearest(to: Float(short))
  }
}
