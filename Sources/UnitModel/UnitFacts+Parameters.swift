extension UnitFacts {
  /// Returns every parameter of an instance with `inputBusCount` input busses (nil: the declared
  /// count), in the order of the table, a template once for each bus.
  public func allParameters(inputBusCount: Int? = nil) -> [ParameterReference] {
    let busNames = inputBusNames(count: inputBusCount)
    return parameters.enumerated().flatMap { index, info in
      guard info.isPerInputBus else {
        return [
          ParameterReference(
            keyPath: info.keyPath, address: ParameterReference.address(index: index), info: info)
        ]
      }
      return busNames.enumerated().map { bus, name in
        ParameterReference(
          keyPath: "\(name).\(info.keyPath)",
          address: ParameterReference.address(index: index, inputBus: bus), info: info)
      }
    }
  }

  /// Returns the parameter at a key path; `cutoff`, `filter.envelope.attack`, `2.gain`.
  public func parameter(
    atKeyPath keyPath: String, inputBusCount: Int? = nil
  ) -> ParameterReference? {
    if let index = parameters.firstIndex(where: { !$0.isPerInputBus && $0.keyPath == keyPath }) {
      return ParameterReference(
        keyPath: keyPath, address: ParameterReference.address(index: index),
        info: parameters[index])
    }
    let parts = keyPath.split(separator: ".", maxSplits: 1)
    guard parts.count == 2,
      let bus = inputBusIndex(of: String(parts[0]), count: inputBusCount),
      let index = parameters.firstIndex(where: { $0.isPerInputBus && $0.keyPath == parts[1] })
    else { return nil }
    return parameter(at: ParameterReference.address(index: index, inputBus: bus))
  }

  /// Returns the parameter at an address, whatever the number of busses; nil if the table has none.
  public func parameter(at address: UInt64) -> ParameterReference? {
    let index = ParameterReference.index(of: address)
    let bus = ParameterReference.inputBus(of: address)
    guard parameters.indices.contains(index) else { return nil }
    let info = parameters[index]
    guard info.isPerInputBus else {
      return bus == 0
        ? ParameterReference(keyPath: info.keyPath, address: address, info: info) : nil
    }
    guard let name = inputBus(at: bus)?.name else { return nil }
    return ParameterReference(keyPath: "\(name).\(info.keyPath)", address: address, info: info)
  }

  /// Returns the factory preset with exactly this name.
  public func factoryPreset(named name: String) -> FactoryPreset? {
    factoryPresets.first { $0.name == name }
  }
}
