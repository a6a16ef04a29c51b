import Documents

extension RackFile {
  /// Whether both say the same, wherever and in whatever order they say it.
  func saysTheSame(as other: RackFile) -> Bool {
    func ordered(_ rack: RackFile) -> YAMLValue {
      var rack = rack
      rack.connections.sort { $0.text < $1.text }
      return rack.tree.sortedByKey
    }
    return ordered(self) == ordered(other)
  }
}

extension UnitEntry {
  /// Whether both say the same, wherever they stand in their files.
  public func saysTheSame(as other: UnitEntry) -> Bool {
    name.value == other.name.value && tree == other.tree
  }
}
