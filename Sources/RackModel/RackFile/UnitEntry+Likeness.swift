import Documents

extension UnitEntry {
  /// Do both say the same, wherever they stand in their files?
  public func isWrittenLike(_ other: UnitEntry) -> Bool { unplaced == other.unplaced }

  /// The same without places.
  var unplaced: UnitEntry {
    var entry = self
    entry.name = name.unplaced
    entry.unit = unit?.unplaced
    entry.preset = preset?.unplaced
    entry.parameters = parameters.map(\.unplaced)
    entry.properties = properties.map(\.unplaced)
    entry.inputs = inputs?.unplaced
    entry.channels = channels?.unplaced
    entry.process = process?.unplaced
    entry.isPipelined = isPipelined?.unplaced
    entry.beginning = Beginning()
    return entry
  }
}

extension Located {
  fileprivate var unplaced: Located { .edited(value) }
}

extension SettingEntry {
  fileprivate var unplaced: SettingEntry {
    var entry = self
    (entry.key, entry.value) = (key.unplaced, value.unplaced)
    return entry
  }
}
