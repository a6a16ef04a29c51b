import UnitModel

extension AudioUnit {
  public var inputBusses: BusArray {
    registrar.access(self, keyPath: \.inputBusses)
    return BusArray(ownerAudioUnit: self, busType: .input)
  }

  public var outputBusses: BusArray {
    registrar.access(self, keyPath: \.outputBusses)
    return BusArray(ownerAudioUnit: self, busType: .output)
  }

  func busCount(_ type: BusType) -> Int {
    state.withLock { type == .input ? $0.inputs.count : $0.outputs.count }
  }

  /// The settings of a bus; of a bus that was removed meanwhile, those that the unit declares.
  func settings(of bus: Bus) -> BusSettings {
    let settings = state.withLock { state in
      let busses = bus.busType == .input ? state.inputs : state.outputs
      return busses.indices.contains(bus.index) ? busses[bus.index] : nil
    }
    let info = bus.busType == .input ? facts.inputBus(at: bus.index) : nil
    return settings
      ?? BusSettings(
        info ?? BusInfo(name: "\(bus.index + 1)", defaultChannelCount: 1),
        sampleRate: Self.usualSampleRate)
  }

  func changeBus(_ bus: Bus, _ change: (inout BusSettings) -> Void) {
    state.withLock { Self.change(bus, in: &$0, change) }
    notifyBusses(bus.busType)
  }

  func changeIdleBus(
    _ bus: Bus, _ what: String, _ change: (inout BusSettings) -> Void
  ) throws(AudioUnitError) {
    try whileIdle(what) { Self.change(bus, in: &$0, change) }
    notifyBusses(bus.busType)
  }

  /// Of the input busses.
  func changeBusCount(to count: Int) throws(AudioUnitError) {
    let facts = facts
    try whileIdle("the number of its busses") { state in
      let sampleRate = state.inputs.first?.format.sampleRate ?? Self.usualSampleRate
      for index in state.inputs.count..<max(count, state.inputs.count) {
        if let info = facts.inputBus(at: index) {
          state.inputs.append(BusSettings(info, sampleRate: sampleRate))
        }
      }
      state.inputs.removeLast(state.inputs.count - count)
      let defaults = Self.defaultValues(of: facts, inputBusCount: count)
      state.tree = ParameterTree(facts, inputBusCount: count)
      state.values = defaults.merging(state.values.filter { defaults[$0.key] != nil }) { $1 }
    }
    let (tree, addresses) = state.withLock { ($0.tree, Array($0.values.keys)) }
    attach(tree)
    for address in addresses { show(address) }
    notify(\.parameterTree)
    notifyBusses(.input)
  }

  private func notifyBusses(_ type: BusType) {
    if type == .input { notify(\.inputBusses) } else { notify(\.outputBusses) }
  }

  private static func change(
    _ bus: Bus, in state: inout State, _ change: (inout BusSettings) -> Void
  ) {
    if bus.busType == .input, state.inputs.indices.contains(bus.index) {
      change(&state.inputs[bus.index])
    } else if bus.busType == .output, state.outputs.indices.contains(bus.index) {
      change(&state.outputs[bus.index])
    }
  }
}
