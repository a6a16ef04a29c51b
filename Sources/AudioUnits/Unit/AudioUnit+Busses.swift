import UnitModel

extension AudioUnit {
  public var inputBusses: BusArray { busses(.input) }
  public var outputBusses: BusArray { busses(.output) }

  private func busses(_ type: BusType) -> BusArray {
    registrar.access(self, keyPath: type.keyPath)
    return BusArray(ownerAudioUnit: self, busType: type)
  }

  func busCount(_ type: BusType) -> Int { state.withLock { $0[type].count } }

  /// Returns a bus's settings; for a bus that has been removed, those that the unit declares.
  func settings(of bus: Bus) -> BusSettings {
    let settings = state.withLock { state in
      state[bus.busType].indices.contains(bus.index) ? state[bus.busType][bus.index] : nil
    }
    let info = bus.busType == .input ? facts.inputBus(at: bus.index) : nil
    return settings
      ?? BusSettings(
        info ?? BusInfo(name: "\(bus.index + 1)", defaultChannelCount: 1),
        sampleRate: sampleRate)
  }

  func changeBus(_ bus: Bus, _ change: (inout BusSettings) -> Void) {
    state.withLock { $0.change(bus, change) }
    notify(bus.busType.keyPath)
  }

  func changeIdleBus(
    _ bus: Bus, _ property: String, _ change: (inout BusSettings) -> Void
  ) throws(AudioUnitError) {
    try whileIdle(property) { $0.change(bus, change) }
    notify(bus.busType.keyPath)
  }

  /// Changes the number of input busses.
  func changeBusCount(to count: Int) throws(AudioUnitError) {
    let facts = facts
    try whileIdle("the number of its busses") { state in
      let sampleRate = state.sampleRate
      for index in state.inputs.count..<max(count, state.inputs.count) {
        if let info = facts.inputBus(at: index) {
          state.inputs.append(BusSettings(info, sampleRate: sampleRate))
        }
      }
      state.inputs.removeLast(state.inputs.count - count)
      let defaults = Self.defaultValues(of: facts, inputBusCount: count)
      state.tree = ParameterTree(facts, inputBusCount: count)
      let values = state.parameters.values.filter { defaults[$0.key] != nil }
      state.parameters.values = defaults.merging(values) { $1 }
    }
    let (tree, addresses) = state.withLock { ($0.tree, Array($0.parameters.values.keys)) }
    attach(tree)
    for address in addresses { show(address) }
    notify(\.parameterTree)
    notify(\.inputBusses)
  }
}

extension BusType {
  fileprivate var keyPath: KeyPath<AudioUnit, BusArray> {
    self == .input ? \.inputBusses : \.outputBusses
  }
}

extension AudioUnit.State {
  fileprivate subscript(type: BusType) -> [BusSettings] {
    get { type == .input ? inputs : outputs }
    set { if type == .input { inputs = newValue } else { outputs = newValue } }
  }

  fileprivate mutating func change(_ bus: Bus, _ change: (inout BusSettings) -> Void) {
    if self[bus.busType].indices.contains(bus.index) { change(&self[bus.busType][bus.index]) }
  }
}
