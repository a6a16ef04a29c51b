import CUnit
import UnitModel

extension AudioUnit {
  /// The unit's parameters, with names, groups and observers. Setting a parameter of the tree sets it
  /// on the unit, and the tree follows events that have been played. Changing the number of busses
  /// makes a new tree.
  public var parameterTree: ParameterTree { read(\.parameterTree) { $0.tree } }

  /// Returns the most important parameters, at most `count` of them.
  public func parametersForOverview(count: Int) -> [Parameter] {
    parameterTree.parametersForOverview(count: count)
  }

  func attach(_ tree: ParameterTree) {
    tree.implementorValueObserver = { [weak self] parameter, value in
      guard let self, parameterValue(parameter.address) != value else { return }
      if (try? setParameter(parameter.address, to: value)) == nil { show(parameter.address) }
    }
    attachTexts(tree)
    for reference in facts.allParameters() where !reference.info.flags.contains(.writable) {
      tree.parameter(withAddress: reference.address)?.implementorValueProvider = {
        [weak self] parameter in
        self?.parameterValue(parameter.address) ?? parameter.defaultValue
      }
    }
  }

  /// Makes the tree ask the unit for its own value texts, if it has any.
  private func attachTexts(_ tree: ParameterTree) {
    for parameter in tree.allParameters where parameter.flags.contains(.hasText) {
      parameter.implementorStringFromValueCallback = { [weak self] parameter, value in
        self?.text(of: value, at: parameter.address)
          ?? Quantity.format(value, for: parameter.info)
      }
      parameter.implementorValueFromStringCallback = { [weak self] parameter, text in
        let number = self?.number(ofText: text, at: parameter.address)
        return try Quantity.parse(number ?? text, for: parameter.info, name: parameter.keyPath)
      }
    }
  }

  /// Returns the unit's own text of a value, such as “4:1”; nil if it has none.
  private func text(of value: Float, at address: UInt64) -> String? {
    guard let write = descriptor.pointee.value_text else { return nil }
    var text = [CChar](repeating: 0, count: Int(BL_VALUE_TEXT_CAPACITY))
    controlLock.withLock { _ in write(instance, address, value, &text, text.count) }
    return text[0] == 0 ? nil : String(text)
  }

  /// Returns the number that the unit parses from a text; nil if it cannot.
  private func number(ofText text: String, at address: UInt64) -> String? {
    guard let read = descriptor.pointee.text_value else { return nil }
    var value: Float = 0
    let isRead = controlLock.withLock { _ in read(instance, address, text, &value) }
    return isRead && value.isFinite ? "\(value)" : nil
  }

  /// Notifies the tree's observers of a gesture made in the unit's own interface. `show` follows, once the
  /// values of the render side are applied: another thread may have set it since.
  package func follow(_ gesture: UnitGesture) {
    let tree = state.withLock { $0.tree }
    guard let parameter = tree.parameter(withAddress: gesture.address) else { return }
    parameter.follow(gesture.value, eventType: gesture.type)
  }

  /// Copies the unit's value of a parameter to the tree, and notifies its observers but not the
  /// unit.
  ///
  /// Compares the tree again after each write, so that an older value never replaces one that
  /// another thread sets meanwhile.
  package func show(_ address: UInt64) {
    guard let parameter = state.withLock({ $0.tree }).parameter(withAddress: address),
      parameter.flags.contains(.writable)
    else { return }
    while let value = state.withLock({ $0.parameters.values[address] }),
      parameter.storedValue != value
    {
      parameter.follow(value)
    }
  }
}
