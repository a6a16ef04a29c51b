import UnitModel

extension AudioUnit {
  /// The unit's parameters, with names, groups and observers; what is set there is set on the unit,
  /// and events that have been played are seen there. Another tree once the number of busses is
  /// another.
  public var parameterTree: ParameterTree { read(\.parameterTree) { $0.tree } }

  /// The parameters that matter most, at most so many.
  public func parametersForOverview(count: Int) -> [Parameter] {
    parameterTree.parametersForOverview(count: count)
  }

  func attach(_ tree: ParameterTree) {
    tree.implementorValueObserver = { [weak self] parameter, value in
      guard let self, parameterValue(parameter.address) != value else { return }
      if (try? setParameter(parameter.address, to: value)) == nil,
        let present = parameterValue(parameter.address)
      {
        parameter.value = present
      }
    }
    for reference in facts.allParameters() where !reference.info.flags.contains(.writable) {
      tree.parameter(withAddress: reference.address)?.implementorValueProvider = {
        [weak self] parameter in
        self?.parameterValue(parameter.address) ?? parameter.defaultValue
      }
    }
  }

  /// Shows in the tree what has been set by other ways.
  func show(_ value: Float, of address: UInt64) {
    guard let parameter = state.withLock({ $0.tree }).parameter(withAddress: address),
      parameter.flags.contains(.writable), parameter.value != value
    else { return }
    parameter.value = value
  }
}
