import CKernel

extension AudioUnit {
  func read<Value>(
    _ property: KeyPath<AudioUnit, Value>, _ get: (State) -> Value
  ) -> Value where Value: Sendable {
    registrar.access(self, keyPath: property)
    return state.withLock { get($0) }
  }

  func write<Value>(
    _ property: KeyPath<AudioUnit, Value>, _ set: (inout State) -> Void
  ) {
    state.withLock { set(&$0) }
    notify(property)
  }

  /// Tells observers of a property that it has another value.
  func notify<Value>(_ property: KeyPath<AudioUnit, Value>) {
    registrar.withMutation(of: self, keyPath: property) {}
  }

  /// Changes what must stay as it is while the unit may be rendered.
  func whileIdle(
    _ what: String, _ change: (inout State) -> Void
  ) throws(AudioUnitError) {
    // Not while somebody allocates for what is here now.
    let isIdle = turn.withLock { _ in
      state.withLock { state in
        guard state.resources == nil else { return false }
        change(&state)
        return true
      }
    }
    guard isIdle else {
      throw error("\(what) cannot be changed while its render resources are allocated")
    }
  }

  /// Takes in what the render side has changed, tells observers of it, and sends down what has been
  /// waiting for room.
  ///
  /// A unit of its own does so itself, ten times a second and after each `render`; of a rack's units
  /// the engine takes care.
  package func takeRenderChanges() {
    takeReports()
    let changed = state.withLock { state in
      guard let node = state.resources?.node.pointer else {
        return (false, false, [UInt64: Float](), false)
      }
      sendWaiting(&state)
      let latency = Int(bl_node_latency(node))
      let tailTime = bl_node_tail_time(node)
      // What was set before, and is only now told of, must not overwrite what was set since.
      let isCurrent = state.sent.map { bl_command_gate_has_done(link.gate.pointer, $0) } ?? true
      var isBypassed = false
      let hasMoved =
        isCurrent && bl_node_pop_bypass_change(node, &isBypassed)
        && state.shouldBypass != isBypassed
      if hasMoved { state.shouldBypass = isBypassed }
      let values = isCurrent ? hear(node, &state) : [:]
      let changed = (state.latency != latency, state.tailTime != tailTime, values, hasMoved)
      (state.latency, state.tailTime) = (latency, tailTime)
      return changed
    }
    if changed.0 { notify(\.latency) }
    if changed.1 { notify(\.tailTime) }
    if changed.3 { notify(\.shouldBypassEffect) }
    for (address, value) in changed.2 { show(value, of: address) }
    if !changed.2.isEmpty { notify(\.parameterValues) }
  }

  /// What a node that was just made says of itself: nothing of it is news.
  static func hearFirst(_ node: OpaquePointer, _ state: inout State) {
    state.sent = nil
    state.heardChanges = bl_node_change_count(node)
    state.heard = Dictionary(
      uniqueKeysWithValues: state.values.keys.map { ($0, bl_node_value(node, $0)) })
  }

  /// Takes over values that events have set. A value that was set here and has not arrived there yet
  /// stays: only what has changed there counts.
  private func hear(_ node: OpaquePointer, _ state: inout State) -> [UInt64: Float] {
    let changes = bl_node_change_count(node)
    guard changes != state.heardChanges else { return [:] }
    state.heardChanges = changes
    var changed: [UInt64: Float] = [:]
    for address in state.values.keys {
      let value = bl_node_value(node, address)
      guard state.heard.updateValue(value, forKey: address) != value,
        !state.waiting.contains(address)
      else { continue }
      if state.values[address] != value { changed[address] = value }
      state.values[address] = value
    }
    return changed
  }

  /// Takes what the unit's own kernel has to say.
  private func takeReports() {
    let lost = state.withLock { state -> Int in
      guard let kernel = state.resources?.kernel?.pointer else { return 0 }
      var report = bl_report()
      var lost = 0
      while bl_kernel_receive(kernel, &report) {
        switch report.type {
        case BL_REPORT_GRAPH_RETIRED: bl_graph_destroy(report.graph)
        case BL_REPORT_EVENTS_LOST: lost += Int(report.events)
        default: break
        }
      }
      state.lostEventCount += lost
      return lost
    }
    if lost > 0 { notify(\.lostEventCount) }
  }
}
