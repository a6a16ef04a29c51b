import CKernel
import CUnitService
import UnitModel

extension AudioUnit {
  /// Prepares to render with the current formats; on an error nothing is allocated.
  ///
  /// - Throws: `AudioUnitError`: the sample rates differ, the unit does not support the channel counts
  ///   together, memory is short, the resources are allocated already, or it is an offline effect.
  public func allocateRenderResources() throws(AudioUnitError) {
    guard !isOfflineEffect else {
      throw error(
        "is an offline effect: it needs its whole input before it gives any output, and cannot play"
          + " live; render it: backline render, or renderOffline")
    }
    try controlLock.withLock { _ throws(AudioUnitError) in
      let settings = state.withLock { $0 }
      guard settings.resources == nil else { throw error("its render resources are allocated") }
      let sampleRate = try checkedSampleRate(settings)
      try checkChannels(settings)
      var resources = try makeResources(settings, sampleRate: sampleRate)
      if resources.kernel != nil {
        resources.pump = Task { [weak self] in
          while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            guard let self else { return }
            applyRenderChanges()
          }
        }
      }
      state.withLock { state in
        state.resources = resources
        state.parameters.readFirst(resources.node.pointer)
      }
      if let kernel = resources.kernel { link.gate.open(kernel.pointer) }
    }
    askNoteNames()
    applyRenderChanges()
    notify(\.renderResourcesAllocated)
  }

  /// Frees the render resources; no render may be in progress or follow.
  public func deallocateRenderResources() {
    applyRenderChanges()
    controlLock.withLock { _ in
      freeResources()
      setWaitingParameters()
    }
    notify(\.renderResourcesAllocated)
  }

  /// Clears delay lines, filters and voices, and keeps the parameters; not to be called during a
  /// render.
  public func reset() {
    controlLock.withLock { _ in
      if state.withLock({ $0.resources != nil }) { descriptor.pointee.reset(instance) }
    }
  }

  /// The unit's node for the rack's kernel; nil without render resources.
  package var node: OpaquePointer? { state.withLock { $0.resources?.node }?.pointer }

  /// Blocks until the next `frames` frames can be rendered; called between cycles. Returns at once
  /// without render resources.
  public func waitUntilReady(frames: Int) {
    guard state.withLock({ $0.resources != nil }) else { return }
    descriptor.pointee.wait_until_ready?(instance, UInt32(clamping: frames))
  }

  /// Whether `waitUntilReady` can ever block.
  public var mayHaveToWait: Bool { descriptor.pointee.wait_until_ready != nil }

  /// Frees the render resources; `deallocates`: the unit's own too, unless it is about to be
  /// destroyed.
  func freeResources(deallocates: Bool = true) {
    let taken = state.withLock { state in
      defer { state.resources = nil }
      state.parameters.discardWaiting()
      bl_scheduler_hold(schedulerHandle.pointer, false)
      return state.resources
    }
    guard let taken else { return }
    taken.pump?.cancel()
    if let kernel = taken.kernel?.pointer {
      link.gate.shut()
      bl_render_block_destroy(taken.block?.pointer)
      bl_kernel_destroy(kernel)
      bl_midi_queue_destroy(taken.midiQueue?.pointer)
    }
    bl_node_destroy(taken.node.pointer)
    if deallocates { descriptor.pointee.deallocate_render_resources(instance) }
  }

  /// Sets values that have not reached the kernel yet.
  private func setWaitingParameters() {
    for (address, value) in state.withLock({ $0.parameters.values })
    where facts.parameter(at: address)?.info.isStored == true
      && descriptor.pointee.parameter_value(instance, address) != value
    {
      descriptor.pointee.set_parameter(instance, address, value)
    }
  }

  func checkedSampleRate(_ settings: State) throws(AudioUnitError) -> Double {
    let rates = Set((settings.inputs + settings.outputs).map(\.format.sampleRate)).sorted()
    guard rates.count <= 1 else {
      let list = rates.map(\.description).joined(separator: " and ")
      throw error("its busses have different sample rates: \(list) Hz")
    }
    return settings.sampleRate
  }

  func checkChannels(_ settings: State) throws(AudioUnitError) {
    let inputs = settings.inputs.map(\.format.channelCount)
    let outputs = settings.outputs.map(\.format.channelCount)
    do {
      try facts.checkChannels(inputs: inputs, outputs: outputs)
    } catch {
      throw AudioUnitError(unit: facts.name, reason: error.description)
    }
  }

  private func makeResources(
    _ settings: State, sampleRate: Double
  ) throws(AudioUnitError) -> Resources {
    try bl_render_configuration.with(
      sampleRate: sampleRate, maximumFrames: settings.maximumFrames,
      inputs: settings.inputs.map(\.format.channelCount),
      outputs: settings.outputs.map(\.format.channelCount)
    ) { configuration throws(AudioUnitError) in
      let status = descriptor.pointee.allocate_render_resources(instance, &configuration)
      if let error = refusal(status, settings) { throw error }
      var node: OpaquePointer?
      do throws(AudioUnitError) {
        node = bl_node_create(descriptor, instance, &configuration, link.identifier)
        guard let node else { throw error("out of memory") }
        bl_node_set_bypassed(node, settings.parameters.isBypassed)
        if service != nil { bl_node_set_dispatch_render(node, bl_service_link_dispatch) }
        bl_node_set_observers(node, observers.pointer)
        if isInRack { return Resources(node: Handle(pointer: node)) }
        return try makeBlock(node, &configuration, settings)
      } catch {
        if let node { bl_node_destroy(node) }
        descriptor.pointee.deallocate_render_resources(instance)
        throw error
      }
    }
  }

  private func makeBlock(
    _ node: OpaquePointer, _ configuration: inout bl_render_configuration, _ settings: State
  ) throws(AudioUnitError) -> Resources {
    var kernelConfiguration = bl_kernel_configuration()
    kernelConfiguration.sample_rate = configuration.sample_rate
    kernelConfiguration.event_capacity = UInt32(settings.eventCapacity)
    kernelConfiguration.command_capacity = UInt32(settings.eventCapacity)
    guard let kernel = bl_kernel_create(&kernelConfiguration) else { throw error("out of memory") }
    let blocks = settings.hostBlocks
    var queue: OpaquePointer?
    if case .collected(let capacity) = blocks.midiOutput, !facts.midiOutputNames.isEmpty {
      queue = bl_midi_queue_create(UInt32(capacity))
      guard queue != nil else {
        bl_kernel_destroy(kernel)
        throw error("out of memory")
      }
    }
    var problem: UnsafePointer<CChar>?
    let inputs = settings.inputs.map(\.isEnabled)
    let outputs = settings.outputs.map(\.isEnabled)
    let block = withUnsafePointer(to: &configuration) { configuration in
      inputs.withUnsafeBufferPointer { inputs in
        outputs.withUnsafeBufferPointer { outputs in
          var description = bl_render_block_description()
          description.node = node
          description.configuration = configuration
          description.inputs_enabled = inputs.baseAddress
          description.outputs_enabled = outputs.baseAddress
          description.musical_context = blocks.musicalContext.function
          description.musical_context_context = blocks.musicalContext.context
          description.transport_state = blocks.transportState.function
          description.transport_state_context = blocks.transportState.context
          if case .block(let function, let context) = blocks.midiOutput {
            description.midi_output = function
            description.midi_output_context = context
          } else if let queue {
            description.midi_output = bl_midi_queue_push
            description.midi_output_context = UnsafeMutableRawPointer(queue)
          }
          return bl_render_block_create(kernel, &description, &problem)
        }
      }
    }
    guard let block else {
      bl_kernel_destroy(kernel)
      bl_midi_queue_destroy(queue)
      throw error(problem.map { String(cString: $0) } ?? "cannot be rendered")
    }
    return Resources(
      node: Handle(pointer: node), kernel: Handle(pointer: kernel),
      block: Handle(pointer: block), midiQueue: queue.map(Handle.init))
  }

  func refusal(_ status: bl_status, _ settings: State) -> AudioUnitError? {
    switch Int(status) {
    case Int(BL_OK): nil
    case Int(BL_ERROR_FORMAT_NOT_SUPPORTED):
      error(
        "does not take \(settings.inputs.map(\.format.channelCount)) channels in and"
          + " \(settings.outputs.map(\.format.channelCount)) out at"
          + " \(settings.sampleRate) Hz")
    case Int(BL_ERROR_OUT_OF_MEMORY): error("out of memory")
    case Int(BL_ERROR_UNAVAILABLE): error(processTrouble ?? "its process does not answer")
    default: error("cannot render (status \(status))")
    }
  }
}

extension bl_render_configuration {
  /// Provides a configuration with these channel counts while `body` runs.
  package static func with<Result, Failure: Error>(
    sampleRate: Double, maximumFrames: Int, inputs: [Int], outputs: [Int],
    _ body: (inout bl_render_configuration) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try inputs.map { UInt32($0) }.withUnsafeBufferPointer { inputs throws(Failure) in
      try outputs.map { UInt32($0) }.withUnsafeBufferPointer { outputs throws(Failure) in
        var configuration = bl_render_configuration(
          sample_rate: sampleRate, maximum_frames: UInt32(maximumFrames),
          input_bus_count: UInt32(inputs.count), output_bus_count: UInt32(outputs.count),
          input_channel_counts: inputs.baseAddress, output_channel_counts: outputs.baseAddress)
        return try body(&configuration)
      }
    }
  }
}
