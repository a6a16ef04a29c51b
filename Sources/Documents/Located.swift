/// A value with its position in a file.
public struct Located<Value: Sendable & Equatable>: Sendable, Equatable {
  public var value: Value
  public var position: SourcePosition

  public init(_ value: Value, at position: SourcePosition = .nowhere) {
    self.value = value
    self.position = position
  }
}

extension Located: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
  ExpressibleByUnicodeScalarLiteral
where Value == String {
  public init(stringLiteral text: String) { self.init(text) }
}

extension Located: ExpressibleByIntegerLiteral where Value == Int {
  public init(integerLiteral number: Int) { self.init(number) }
}
