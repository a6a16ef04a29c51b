import UnitModel

/// One parameter of a tree.
public struct Parameter: ParameterNode, Hashable {
  public let tree: ParameterTree
  /// The parameter's index among all parameters of the tree.
  let index: Int

  public var nodeIndex: Int { row.node }
  var row: ParameterLayout.Row { tree.layout.rows[index] }

  /// The parameter's row in the unit's table.
  public var info: ParameterInfo { row.info }
  /// The number that events carry to name the parameter; valid for this tree only.
  public var address: UInt64 { row.address }
  /// The lowest value, in `unit`.
  public var minValue: Float { info.minimum }
  /// The highest value, in `unit`.
  public var maxValue: Float { info.maximum }
  public var defaultValue: Float { info.defaultValue }
  public var unit: ParameterUnit { info.unit }
  /// The unit as text, "Hz"; nil for plain numbers.
  public var unitName: String? { info.unitName ?? unit.symbol }
  public var flags: ParameterFlags { info.flags }
  /// The names of the values, from `minValue` on; empty if they have none.
  public var valueStrings: [String] { info.valueStrings }

  /// The parameters whose meaning or range depends on this parameter's value.
  public var dependentParameters: [Parameter] {
    let instance = tree.layout.nodes[row.instance].keyPath
    return info.dependentParameters.compactMap { path in
      (row.instance == 0 ? nil : tree.parameter(atKeyPath: "\(instance).\(path)"))
        ?? tree.parameter(atKeyPath: path)
    }
  }

  /// The current value, in `unit`: the answer of the nearest `implementorValueProvider`, or else the
  /// last value set. Setting it calls `setValue` without an originator.
  public var value: Float {
    get {
      if tree.hasValueProvider.load(ordering: .acquiring),
        let provider = tree.nearest(\.valueProvider, to: nodeIndex)
      {
        return provider(self)
      }
      return storedValue
    }
    nonmutating set { setValue(newValue) }
  }

  /// The last value set.
  var storedValue: Float { tree.values[index].load() }

  /// Stores a value that the unit already has, and notifies the observers only.
  func follow(_ value: Float, eventType: ParameterAutomationEventType = .value) {
    tree.set(
      index, to: value, originator: nil, hostTime: nil, eventType: eventType,
      informsImplementor: false)
  }

  /// Sets the value, limited to the range, on the unit, and notifies the observers except the
  /// originator.
  ///
  /// Does nothing if the parameter is not writable or the value is NaN. `hostTime` is the time of
  /// the gesture, for recordings: nanoseconds of CLOCK_MONOTONIC, JACK's clock; nil means now. A
  /// touch and a release set the value as well.
  public func setValue(
    _ value: Float, originator: ParameterObserverToken? = nil, atHostTime hostTime: UInt64? = nil,
    eventType: ParameterAutomationEventType = .value
  ) {
    guard flags.contains(.writable), !value.isNaN else { return }
    let held = min(max(value, minValue), maxValue)
    tree.set(index, to: held, originator: originator, hostTime: hostTime, eventType: eventType)
  }

  /// Returns a value as text, such as "1.2 kHz" or "Square"; nil stands for the current value.
  ///
  /// `value(from:)` parses it to the same number, unless an implementor has a callback.
  public func string(fromValue value: Float? = nil) -> String {
    let value = value ?? self.value
    if let callback = tree.nearest(\.stringFromValue, to: nodeIndex) {
      return callback(self, value)
    }
    return Quantity.format(value, for: info)
  }

  /// Parses a value: a number with or without a unit, a value's name, or a note.
  ///
  /// - Throws: `Refusal`, or what the nearest implementor's callback throws.
  public func value(from string: String) throws -> Float {
    if let callback = tree.nearest(\.valueFromString, to: nodeIndex) {
      return try callback(self, string)
    }
    return try Quantity.parse(string, for: info, name: keyPath)
  }
}
