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
      let latency = Int(bl_node_latency(node))
      let tailTime = bl_node_tail_time(node)
      // The render side's values count only once it has processed every command sent: an older
      // value must not overwrite one that was set since.
      let isCurrent =
        !state.isBypassWaiting
        && state.sent.map { bl_command_gate_has_done(link.gate.pointer, $0) } ?? true
      var isBypassed = false
      let hasMoved =
        isCurrent && bl_node_pop_bypass_change(node, &isBypassed)
        && state.shouldBypass != isBypassed
      if hasMoved { state.shouldBypass = isBypassed }
      let values = isCurrent ? readValues(node, &state) : []
      if state.latency != latency {
        state.latencyChanges = state.latencyChanges.suffix(19) + [.now]
      }
      let isSteady = isCurrent && !state.isWaiting && state.latencyChanges.isEmpty
      let changed = RenderChanges(
        latency: state.latency != latency, tailTime: state.tailTime != tailTime, values: values,
        bypass: hasMoved, isSteady: isSteady)
      (state.latency, state.tailTime) = (latency, tailTime)
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
      state.latencyChanges.removeAll { .now - $0 > .seconds(30) }
      let isHeld = state.latencyChanges.count == 20
      bl_node_hold_latency(node, isHeld)
      let isNew = isHeld && !state.hasHeldLatency
      if isNew { state.hasHeldLatency = true }
      return isNew
    }
  }

  /// Reads the initial values of a new node, which do not count as changes.
  static func readFirstValues(_ node: OpaquePointer, _ state: inout State) {
    state.sent = nil
    state.reportedChanges = bl_node_change_count(node)
    state.reported = Dictionary(
      uniqueKeysWithValues: state.values.keys.map { ($0, bl_node_value(node, $0)) })
  }

  /// Applies values that events have set, and returns the addresses of those that changed. A value that
  /// was set here and has not reached the render side yet stays: only changes of the render side count.
  private func readValues(_ node: OpaquePointer, _ state: inout State) -> [UInt64] {
    let changes = bl_node_change_count(node)
    guard changes != state.reportedChanges else { return [] }
    state.reportedChanges = changes
    var changed: [UInt64] = []
    for address in state.values.keys {
      let value = bl_node_value(node, address)
      guard state.reported.updateValue(value, forKey: address) != value,
        !state.waiting.contains(address)
      else { continue }
      if state.values[address] != value { changed.append(address) }
      state.values[address] = value
    }
    return changed
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
