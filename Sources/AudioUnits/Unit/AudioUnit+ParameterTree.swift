import UnitModel

extension AudioUnit {
  /// The unit's parameters, with names, groups and observers. Setting a parameter of the tree sets it
  /// on the unit, and the tree follows events that have been played. A change of the number of busses
  /// makes a new tree.
  public var parameterTree: ParameterTree { read(\.parameterTree) { $0.tree } }

  /// The most important parameters, at most `count` of them.
  public func parametersForOverview(count: Int) -> [Parameter] {
    parameterTree.parametersForOverview(count: count)
  }

  func attach(_ tree: ParameterTree) {
    tree.implementorValueObserver = { [weak self] parameter, value in
      guard let self, parameterValue(parameter.address) != value else { return }
      if (try? setParameter(parameter.address, to: value)) == nil { show(parameter.address) }
    }
    for reference in facts.allParameters() where !reference.info.flags.contains(.writable) {
      tree.parameter(withAddress: reference.address)?.implementorValueProvider = {
        [weak self] parameter in
        self?.parameterValue(parameter.address) ?? parameter.defaultValue
      }
    }
  }

  /// Gives a parameter of the tree the unit's value, and informs its observers but not the unit.
  ///
  /// The tree is compared again after each write, so that an older value never replaces a value that
  /// another thread sets meanwhile.
  func show(_ address: UInt64) {
    guard let parameter = state.withLock({ $0.tree }).parameter(withAddress: address),
      parameter.flags.contains(.writable)
    else { return }
    while let value = state.withLock({ $0.values[address] }), parameter.storedValue != value {
      parameter.follow(value)
    }
  }
}
