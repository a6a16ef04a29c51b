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

  /// Notifies observers that a property has changed.
  func notify<Value>(_ property: KeyPath<AudioUnit, Value>) {
    registrar.withMutation(of: self, keyPath: property) {}
  }

  /// Changes settings that must stay constant while the unit may be rendered.
  func whileIdle(
    _ property: String, _ change: (inout State) -> Void
  ) throws(AudioUnitError) {
    // Locked, so that no other thread allocates for the old settings meanwhile.
    let isIdle = controlLock.withLock { _ in
      state.withLock { state in
        guard state.resources == nil else { return false }
        change(&state)
        return true
      }
    }
    guard isIdle else {
      throw error("\(property) cannot be changed while its render resources are allocated")
    }
  }

  /// Applies changes that the render side has made, reports them to observers, and sends values that
  /// have been waiting for room.
  ///
  /// A standalone unit does so by itself, ten times a second and after each `render`; for the units of a
  /// rack the engine calls it. Returns true if it need not be called again before the next change: no value
  /// waits for the kernel, the latency has been steady for 30 seconds, and no meter is observed.
  @discardableResult
  package func applyRenderChanges() -> Bool {
    let gestures = receiveReports()
    for gesture in gestures { follow(gesture) }
    let changed = state.withLock { state in
      guard let node = state.resources?.node.pointer else {
        return RenderChanges(isSteady: true)
      }
      sendWaiting(&state)
      let tailTime = bl_node_tail_time(node)
      let isCurrent = state.parameters.isCurrent(over: link)
      let changed = RenderChanges(
        latency: state.latency.update(Int(bl_node_latency(node))),
        tailTime: state.tailTime != tailTime,
        values: isCurrent ? state.parameters.readChanges(node) : [],
        bypass: isCurrent && state.parameters.readBypass(node),
        isSteady: isCurrent && !state.parameters.isWaiting && state.latency.isSteady)
      state.tailTime = tailTime
      return changed
    }
    if changed.latency { notify(\.latency) }
    if changed.tailTime { notify(\.tailTime) }
    if changed.bypass { notify(\.shouldBypassEffect) }
    for address in changed.values + gestures.map(\.address) { show(address) }
    if !changed.values.isEmpty { notify(\.parameterValues) }
    return !showMeters() && changed.isSteady
  }

  /// Reports meter readings to the tree's observers; returns whether there are any observers.
  private func showMeters() -> Bool {
    let (tree, node) = state.withLock { ($0.tree, $0.resources?.node) }
    guard let node, !meters.isEmpty, tree.hasObservers else { return false }
    for address in meters {
      let reading = bl_node_value(node.pointer, address)
      if let meter = tree.parameter(withAddress: address), meter.storedValue != reading {
        meter.follow(reading)
      }
    }
    return true
  }

  /// Holds the latency while it has changed 20 times in the last 30 seconds, since each change lowers
  /// the rack again. Returns true the first time.
  package func limitLatencyChanges() -> Bool {
    state.withLock { state in
      guard let node = state.resources?.node.pointer else { return false }
      let (isHeld, isNew) = state.latency.needsHold()
      bl_node_hold_latency(node, isHeld)
      return isNew
    }
  }

  /// Empties the report ring of the unit's own kernel; returns the gestures.
  private func receiveReports() -> [UnitGesture] {
    let (lost, gestures) = state.withLock { state -> (Int, [UnitGesture]) in
      guard let kernel = state.resources?.kernel?.pointer else { return (0, []) }
      var report = bl_report()
      var lost = 0
      var gestures: [UnitGesture] = []
      while bl_kernel_receive(kernel, &report) {
        switch report.type {
        case BL_REPORT_GRAPH_RETIRED: bl_graph_destroy(report.graph)
        case BL_REPORT_EVENTS_LOST: lost += Int(report.events)
        case BL_REPORT_GESTURE: gestures.append(UnitGesture(report.gesture))
        default: break
        }
      }
      state.lostEventCount += lost
      return (lost, gestures)
    }
    if lost > 0 { notify(\.lostEventCount) }
    return gestures
  }
}

/// The changes made by the render side.
private struct RenderChanges {
  var latency = false
  var tailTime = false
  /// The addresses of parameters.
  var values: [UInt64] = []
  var bypass = false
  /// Whether nothing waits and nothing moves.
  var isSteady: Bool
}
