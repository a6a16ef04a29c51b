import UnitModel

/// The present values of a unit.
public struct UnitValues: Sendable, Equatable {
  /// The values of every stored parameter by address, in the parameters' units.
  public var parameters: [UInt64: Float]
  public var isBypassed: Bool

  package init(parameters: [UInt64: Float], isBypassed: Bool) {
    (self.parameters, self.isBypassed) = (parameters, isBypassed)
  }
}

extension PlannedUnit {
  /// The unit's values, with the defaults of the parameters that the plan does not list.
  package var values: UnitValues {
    get {
      let stored = facts.allParameters(inputBusCount: inputChannelCounts.count)
        .filter { $0.info.isStored }
      var values = Dictionary(stored.map { ($0.address, $0.info.defaultValue) }) { first, _ in first
      }
      for parameter in parameters { values[parameter.address] = parameter.value }
      return UnitValues(parameters: values, isBypassed: isBypassed)
    }
    set {
      parameters = facts.plannedParameters(newValue.parameters)
      isBypassed = newValue.isBypassed
    }
  }

  /// Copies the values of a unit that may have been rebuilt since: parameters are matched by key path, as
  /// their addresses may differ.
  package mutating func adopt(_ other: UnitValues, of former: UnitFacts) {
    var values = values
    values.isBypassed = other.isBypassed
    for (address, value) in other.parameters where value.isFinite {
      guard let parameter = parameter(atAddress: address, of: former), parameter.info.isStored
      else {
        continue
      }
      values.parameters[parameter.address] = parameter.info.nearest(to: value)
    }
    if values != self.values { self.values = values }
  }

  /// Returns the parameter that has the key path of another unit's parameter; usually they have the same address.
  private func parameter(atAddress address: UInt64, of other: UnitFacts) -> ParameterReference? {
    guard let keyPath = other.parameter(at: address)?.keyPath else { return nil }
    if let same = facts.parameter(at: address), same.keyPath == keyPath { return same }
    return facts.parameter(atKeyPath: keyPath, inputBusCount: inputChannelCounts.count)
  }
}

extension Plan {
  /// The value of a parameter or a bypass (0 or 1); nil for a parameter that the unit lacks.
  package subscript(target: ControlTarget) -> Float? {
    get {
      switch target {
      case .bypass(let unit): units[unit].isBypassed ? 1 : 0
      case .parameter(let unit, let address): units[unit].values.parameters[address]
      }
    }
    set {
      guard let newValue else { return }
      switch target {
      case .bypass(let unit): units[unit].isBypassed = newValue >= 0.5
      case .parameter(let unit, let address):
        // A button has no value.
        guard units[unit].values.parameters[address] != nil else { return }
        units[unit].values.parameters[address] = newValue
      }
    }
  }
}

extension CheckedRack {
  /// Returns the rack with the values of `former` in the units that both have. A unit that was replaced
  /// keeps only the bypass.
  ///
  /// - Parameter reset: a unit whose parameters come from the file.
  func withValues(of former: CheckedRack, except reset: UnitID? = nil) -> CheckedRack {
    var rack = self
    for (index, unit) in plan.units.enumerated() {
      guard let before = former.plan.units.first(where: { $0.id == unit.id }) else { continue }
      if unit.id == reset || unit.component != before.component {
        rack.plan.units[index].isBypassed = before.isBypassed
      } else {
        rack.plan.units[index].adopt(before.values, of: before.facts)
      }
    }
    return rack
  }

  /// Returns the units that have the same values in another rack.
  package func unitsWithValues(of other: CheckedRack) -> Set<UnitID> {
    let alike = plan.units.filter { unit in
      other.plan.units.contains { $0.isSameUnit(as: unit) && $0.values == unit.values }
    }
    return Set(alike.map(\.id))
  }

  /// Returns the rack with the present values, except those that its file has changed.
  ///
  /// - Parameters:
  ///   - present: the rack that plays.
  ///   - former: the file before it was changed.
  package func following(_ present: CheckedRack, since former: CheckedRack) -> CheckedRack {
    var rack = self
    for (index, unit) in plan.units.enumerated() {
      func values(in rack: CheckedRack) -> UnitValues? {
        rack.plan.units.first { $0.isSameUnit(as: unit) }?.values
      }
      guard let before = values(in: former), let now = values(in: present) else { continue }
      var values = unit.values
      for (address, value) in values.parameters where before.parameters[address] == value {
        values.parameters[address] = now.parameters[address]
      }
      if before.isBypassed == values.isBypassed { values.isBypassed = now.isBypassed }
      if values != unit.values { rack.plan.units[index].values = values }
    }
    return rack
  }
}
