import UnitModel

extension Parameter {
  /// The text of a value (nil: the present value); "1.2 kHz", "Square".
  ///
  /// `value(from:)` reads it back to the same number, unless an implementor has a callback.
  public func string(fromValue value: Float? = nil) -> String {
    let value = value ?? self.value
    if let callback = tree.nearest(\.stringFromValue, to: nodeIndex) {
      return callback(self, value)
    }
    return Quantity.format(value, for: info)
  }

  /// The value of a text: a number with or without a unit, a value's name, a note.
  ///
  /// - Throws: `QuantityError`, or what the nearest implementor's callback throws.
  public func value(from string: String) throws -> Float {
    if let callback = tree.nearest(\.valueFromString, to: nodeIndex) {
      return try callback(self, string)
    }
    return try Quantity.parse(string, for: info, name: keyPath)
  }
}
