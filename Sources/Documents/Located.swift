/// A value and where it was written.
public struct Located<Value: Sendable & Equatable>: Sendable, Equatable {
  public var value: Value
  public var position: SourcePosition

  public init(_ value: Value, at position: SourcePosition) {
    self.value = value
    self.position = position
  }
}
