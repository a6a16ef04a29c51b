extension Int {
  /// Returns the nearest integer within ±2⁶², so that sums of a few such numbers do not overflow. NaN
  /// gives 0.
  package init(clamping value: some BinaryFloatingPoint) {
    let limit = 1 << 62
    self =
      value.isNaN
      ? 0 : value >= 0x1p62 ? limit : value <= -0x1p62 ? -limit : Int(value.rounded())
  }
}
