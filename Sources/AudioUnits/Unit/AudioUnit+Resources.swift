import CKernel
import CUnitService
import UnitModel

extension AudioUnit {
  /// Prepares to render with the present formats; on an error nothing is allocated.
  ///
  /// - Throws: `AudioUnitError`: the sample rates differ, the unit does not support the channel counts
  ///   together, memory is short, or the resources are allocated already.
  public func allocateRenderResources() throws(AudioUnitError) {
    try turn.withLock { _ throws(AudioUnitError) in
      let settings = state.withLock { $0 }
      guard settings.resources == nil else { throw error("its render resources are allocated") }
      let sampleRate = try checkedSampleRate(settings)
      try checkChannels(settings)
      var resources = try makeResources(settings, sampleRate: sampleRate)
      if resources.kernel != nil {
        resources.pump = Task { [weak self] in
          while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            guard let self else { return }
            takeRenderChanges()
          }
        }
      }
      state.withLock { state in
        state.resources = resources
        Self.readFirstValues(resources.node.pointer, &state)
      }
      if let kernel = resources.kernel { link.gate.open(kernel.pointer) }
    }
    takeRenderChanges()
    notify(\.renderResourcesAllocated)
  }

  /// Frees the render resources; no render may be under way or follow.
  public func deallocateRenderResources() {
    takeRenderChanges()
    turn.withLock { _ in
      freeResources()
      setWaitingParameters()
    }
    notify(\.renderResourcesAllocated)
  }

  /// Clears delay lines, filters and voices, and keeps the parameters; not while the unit is rendered.
  public func reset() {
    turn.withLock { _ in
      if state.withLock({ $0.resources != nil }) { descriptor.pointee.reset(instance) }
    }
  }

  /// For the rack's kernel; nil without render resources.
  package var node: OpaquePointer? { state.withLock { $0.resources?.node }?.pointer }

  /// Blocks until the next `frames` frames can be rendered; between cycles. Returns at once without
  /// render resources.
  public func waitUntilReady(frames: Int) {
    guard state.withLock({ $0.resources != nil }) else { return }
    descriptor.pointee.wait_until_ready?(instance, UInt32(clamping: frames))
  }

  /// Whether `waitUntilReady` can ever block.
  public var mayHaveToWait: Bool { descriptor.pointee.wait_until_ready != nil }

  /// `deallocates`: the unit's own, too, unless it is destroyed anyway.
  func freeResources(deallocates: Bool = true) {
    let taken = state.withLock { state in
      defer { state.resources = nil }
      state.waiting = WaitingValues()
      state.isBypassWaiting = false
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

  /// Sets values that had not reached the kernel yet.
  private func setWaitingParameters() {
    for (address, value) in state.withLock({ $0.values })
    where facts.parameter(at: address)?.info.flags.contains(.writable) == true
      && descriptor.pointee.parameter_value(instance, address) != value
    {
      descriptor.pointee.set_parameter(instance, address, value)
    }
  }

  private func checkedSampleRate(_ settings: State) throws(AudioUnitError) -> Double {
    let rates = Set((settings.inputs + settings.outputs).map(\.format.sampleRate)).sorted()
    guard rates.count <= 1 else {
      let list = rates.map(\.description).joined(separator: " and ")
      throw error("its busses have different sample rates: \(list) Hz")
    }
    return rates.first ?? Self.usualSampleRate
  }

  private func checkChannels(_ settings: State) throws(AudioUnitError) {
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
    var result: Result<Resources, AudioUnitError> = .failure(error("out of memory"))
    let inputs = settings.inputs.map { UInt32($0.format.channelCount) }
    let outputs = settings.outputs.map { UInt32($0.format.channelCount) }
    inputs.withUnsafeBufferPointer { inputs in
      outputs.withUnsafeBufferPointer { outputs in
        var configuration = bl_render_configuration(
          sample_rate: sampleRate, maximum_frames: UInt32(settings.maximumFrames),
          input_bus_count: UInt32(inputs.count), output_bus_count: UInt32(outputs.count),
          input_channel_counts: inputs.baseAddress, output_channel_counts: outputs.baseAddress)
        result = allocate(&configuration, settings)
      }
    }
    return try result.get()
  }

  private func allocate(
    _ configuration: inout bl_render_configuration, _ settings: State
  ) -> Result<Resources, AudioUnitError> {
    let status = descriptor.pointee.allocate_render_resources(instance, &configuration)
    if let error = refusal(status, settings) { return .failure(error) }
    guard
      let node = bl_node_create(descriptor, instance, &configuration, link.identifier)
    else {
      descriptor.pointee.deallocate_render_resources(instance)
      return .failure(error("out of memory"))
    }
    bl_node_set_bypassed(node, settings.shouldBypass)
    if service != nil { bl_node_set_dispatch_render(node, bl_service_link_begin) }
    bl_node_set_observers(node, observers.pointer)
    if isInRack { return .success(Resources(node: Handle(pointer: node))) }
    let made = makeBlock(node, &configuration, settings)
    if case .failure = made {
      bl_node_destroy(node)
      descriptor.pointee.deallocate_render_resources(instance)
    }
    return made
  }

  private func makeBlock(
    _ node: OpaquePointer, _ configuration: inout bl_render_configuration, _ settings: State
  ) -> Result<Resources, AudioUnitError> {
    var kernelConfiguration = bl_kernel_configuration()
    kernelConfiguration.sample_rate = configuration.sample_rate
    kernelConfiguration.event_capacity = UInt32(settings.eventCapacity)
    kernelConfiguration.command_capacity = UInt32(settings.eventCapacity)
    guard let kernel = bl_kernel_create(&kernelConfiguration) else {
      return .failure(error("out of memory"))
    }
    var queue: OpaquePointer?
    if case .collected(let capacity) = settings.midiOutput, !facts.midiOutputNames.isEmpty {
      queue = bl_midi_queue_create(UInt32(capacity))
      guard queue != nil else {
        bl_kernel_destroy(kernel)
        return .failure(error("out of memory"))
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
          description.musical_context = settings.music.musicalContext?.function
          description.musical_context_context = settings.music.musicalContext?.context
          description.transport_state = settings.music.transportState?.function
          description.transport_state_context = settings.music.transportState?.context
          switch settings.midiOutput {
          case .dropped: break
          case .block(let function, let context):
            description.midi_output = function
            description.midi_output_context = context
          case .collected:
            description.midi_output = queue == nil ? nil : bl_midi_queue_push
            description.midi_output_context = queue.map { UnsafeMutableRawPointer($0) }
          }
          return bl_render_block_create(kernel, &description, &problem)
        }
      }
    }
    guard let block else {
      bl_kernel_destroy(kernel)
      bl_midi_queue_destroy(queue)
      return .failure(error(problem.map { String(cString: $0) } ?? "cannot be rendered"))
    }
    return .success(
      Resources(
        node: Handle(pointer: node), kernel: Handle(pointer: kernel),
        block: Handle(pointer: block), midiQueue: queue.map(Handle.init)))
  }

  private func refusal(_ status: bl_status, _ settings: State) -> AudioUnitError? {
    switch Int(status) {
    case Int(BL_OK): nil
    case Int(BL_ERROR_FORMAT_NOT_SUPPORTED):
      error(
        "does not take \(settings.inputs.map(\.format.channelCount)) channels in and"
          + " \(settings.outputs.map(\.format.channelCount)) out at"
          + " \(settings.outputs.first?.format.sampleRate ?? Self.usualSampleRate) Hz")
    case Int(BL_ERROR_OUT_OF_MEMORY): error("out of memory")
    default: error("cannot render (status \(status))")
    }
  }
}
