import CIO
import CKernel
import CTestUnits
import CUnit

/// A kernel and its units, rendered cycle by cycle without JACK.
package final class KernelHost {
  package let kernel: OpaquePointer
  package private(set) var nodes: [OpaquePointer] = []
  package private(set) var units: [OpaquePointer] = []
  package private(set) var reports: [bl_report] = []
  /// The musical context and transport of the next cycle; nil if the host has none.
  package var music: (bl_musical_context, bl_transport_state)?
  private var descriptors: [UnsafePointer<bl_unit_descriptor>] = []
  /// The descriptors of units that are rendered elsewhere; freed by `deinit`.
  var ownDescriptors: [UnsafeMutablePointer<bl_unit_descriptor>] = []
  private var outputCounts: [Int] = []
  private var automations: [OpaquePointer] = []

  package struct LoweringError: Error { public var message: String }

  /// Creates a host; a capacity of 0 stands for the kernel's default.
  ///
  /// - Parameter alwaysShares: whether several threads share the work even if that saves little.
  package init(
    sampleRate: Double = 48_000, threads: Int = 1, alwaysShares: Bool = true,
    creating: bl_thread_create? = nil,
    eventCapacity: Int = 0, ringCapacity: Int = 0,
    systemExclusiveCapacity: Int = 0
  ) {
    var configuration = bl_kernel_configuration()
    configuration.sample_rate = sampleRate
    configuration.event_capacity = UInt32(eventCapacity)
    configuration.command_capacity = UInt32(ringCapacity)
    configuration.report_capacity = UInt32(ringCapacity)
    configuration.system_exclusive_capacity = UInt32(systemExclusiveCapacity)
    kernel = bl_kernel_create(&configuration)!
    self.sampleRate = sampleRate
    (self.threads, self.alwaysShares) = (threads, alwaysShares)
    helperThreads =
      threads > 1 ? bl_helper_threads_start(kernel, UInt32(threads - 1), creating, nil) : nil
  }

  private let threads: Int
  private let alwaysShares: Bool
  private var helperThreads: OpaquePointer?

  package func stopHelpers() {
    bl_helper_threads_stop(helperThreads)
    helperThreads = nil
  }

  private let sampleRate: Double
  /// Whether to receive the kernel's reports after each cycle.
  package var receivesReports = true
  /// Whether cycles have a deadline, as live.
  package var hasDeadline = false
  package static let maximumFrames = 1024

  deinit {
    stopHelpers()
    bl_kernel_destroy(kernel)
    for automation in automations { bl_automation_destroy(automation) }
    for index in units.indices {
      bl_node_destroy(nodes[index])
      descriptors[index].pointee.deallocate_render_resources(units[index])
      descriptors[index].pointee.destroy(units[index])
    }
    for descriptor in ownDescriptors { bl_test_deferred_destroy(descriptor) }
  }

  /// Adds an allocated unit; returns the number that cables and reports use for it.
  @discardableResult
  package func add(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, inputs: [UInt32] = [1],
    outputs: [UInt32] = [1], parameters: [(Int, Float)] = []
  ) -> Int {
    let unit = descriptor.pointee.create(descriptor)!
    for (index, value) in parameters {
      descriptor.pointee.set_parameter(unit, UInt64(index), value)
    }
    inputs.withUnsafeBufferPointer { inputs in
      outputs.withUnsafeBufferPointer { outputs in
        var configuration = bl_render_configuration(
          sample_rate: sampleRate, maximum_frames: UInt32(Self.maximumFrames),
          input_bus_count: UInt32(inputs.count), output_bus_count: UInt32(outputs.count),
          input_channel_counts: inputs.baseAddress, output_channel_counts: outputs.baseAddress)
        precondition(descriptor.pointee.allocate_render_resources(unit, &configuration) == BL_OK)
        nodes.append(bl_node_create(descriptor, unit, &configuration, UInt32(nodes.count))!)
      }
    }
    units.append(unit)
    descriptors.append(descriptor)
    return nodes.count - 1
  }

  /// Creates a lane for `lower`, in frames of the transport; it lasts as long as the host.
  package func addLane(_ pieces: [bl_lane_piece]) -> OpaquePointer {
    let automation = pieces.withUnsafeBufferPointer { pieces in
      var lane = bl_lane(
        counts_beats: false, piece_count: UInt32(pieces.count), pieces: pieces.baseAddress)
      return bl_automation_create(&lane, 1)!
    }
    automations.append(automation)
    return automation
  }

  /// Returns a cable between busses of two units; nil stands for the rack, whose ports are then the
  /// busses.
  package static func cable(
    _ source: Int?, _ destination: Int?, from: Int = 0, to: Int = 0, flags: Int = 0,
    fromChannel: Int = 0, toChannel: Int = 0
  ) -> bl_cable {
    let rack = UInt32.max
    return bl_cable(
      source: bl_endpoint(node: source.map(UInt32.init) ?? rack, bus: UInt32(from)),
      destination: bl_endpoint(node: destination.map(UInt32.init) ?? rack, bus: UInt32(to)),
      flags: UInt32(flags), source_channel: UInt32(fromChannel),
      destination_channel: UInt32(toChannel))
  }

  /// Returns a MIDI cable; nil stands for the rack. `from` and `to` are the units' cables, or the
  /// rack's ports.
  package static func midi(
    _ source: Int?, _ destination: Int?, from: Int = 0, to: Int = 0, channels: UInt16 = 0,
    notes: ClosedRange<Int>? = nil
  ) -> bl_midi_cable {
    let cable = cable(source, destination, from: from, to: to)
    return bl_midi_cable(
      source: cable.source, destination: cable.destination, channels: channels,
      lowest_note: UInt8(notes?.lowerBound ?? 0), note_count: UInt8(notes?.count ?? 0))
  }

  /// Returns a modulation by a unit's first channel; nil stands for the rack, whose port is then
  /// `from`.
  package static func modulation(
    _ source: Int?, _ node: Int, parameter: Int = 0, depth: Float, from: Int = 0,
    isSquared: Bool = false, isLate: Bool = false
  ) -> bl_modulation {
    bl_modulation(
      source_node: source.map(UInt32.init) ?? UInt32.max, source_bus: UInt32(from),
      source_channel: 1, node: UInt32(node), address: UInt64(parameter), depth: depth,
      is_squared: isSquared, is_late: isLate)
  }

  /// Lowers a graph of the units added so far, or of the first `unitCount` of them.
  package func lower(
    _ cables: [bl_cable], inputs: [UInt32] = [1], outputs: [UInt32] = [1],
    ceilings: [Float]? = nil, midi: [bl_midi_cable] = [], midiInputs: Int = 1, midiOutputs: Int = 0,
    maximumFrames: Int = KernelHost.maximumFrames,
    fadeFrames: Int = 480, unitCount: Int? = nil,
    previous: OpaquePointer? = nil, context: UnsafeMutableRawPointer? = nil,
    recorder: OpaquePointer? = nil, taps: [bl_tap] = [],
    automation: OpaquePointer? = nil, targets: [bl_lane_target] = [],
    controls: [bl_control] = [], scenes: [bl_scene] = [], modulations: [bl_modulation] = []
  ) throws -> OpaquePointer {
    var error: UnsafePointer<CChar>?
    var list: [OpaquePointer?] = Array(nodes.prefix(unitCount ?? nodes.count))
    let ceilings = ceilings ?? Array(repeating: .infinity, count: outputs.count)
    let graph = list.withUnsafeMutableBufferPointer { list in
      ceilings.withUnsafeBufferPointer { ceilings in
        cables.withUnsafeBufferPointer { cables in
          inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
              midi.withUnsafeBufferPointer { midi in
                var description = bl_graph_description()
                description.maximum_frames = UInt32(maximumFrames)
                description.thread_count = UInt32(threads)
                description.always_shares = alwaysShares
                description.fade_frames = UInt32(fadeFrames)
                description.input_count = UInt32(inputs.count)
                description.input_channel_counts = inputs.baseAddress
                description.output_count = UInt32(outputs.count)
                description.output_channel_counts = outputs.baseAddress
                description.output_ceilings = ceilings.baseAddress
                description.node_count = UInt32(list.count)
                description.nodes = UnsafePointer(list.baseAddress)
                description.cable_count = UInt32(cables.count)
                description.cables = cables.baseAddress
                description.midi_input_count = UInt32(midiInputs)
                description.midi_output_count = UInt32(midiOutputs)
                description.midi_cable_count = UInt32(midi.count)
                description.midi_cables = midi.baseAddress
                description.previous = previous
                description.context = context
                description.recorder = recorder
                description.tap_count = UInt32(taps.count)
                description.automation = automation
                description.control_count = UInt32(controls.count)
                description.scene_count = UInt32(scenes.count)
                description.modulation_count = UInt32(modulations.count)
                return taps.withUnsafeBufferPointer { taps in
                  targets.withUnsafeBufferPointer { targets in
                    controls.withUnsafeBufferPointer { controls in
                      scenes.withUnsafeBufferPointer { scenes in
                        modulations.withUnsafeBufferPointer { modulations in
                          description.modulations = modulations.baseAddress
                          description.taps = taps.baseAddress
                          description.lane_targets = targets.baseAddress
                          description.controls = controls.baseAddress
                          description.scenes = scenes.baseAddress
                          return bl_graph_create(&description, &error)
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    guard let graph else { throw LoweringError(message: error.map { String(cString: $0) } ?? "") }
    outputCounts = outputs.map(Int.init)
    return graph
  }

  /// Plays the graph from the next cycle on.
  package func play(_ graph: OpaquePointer) {
    var command = bl_command()
    command.type = BL_COMMAND_SET_GRAPH
    command.graph = graph
    playing.insert(graph)
    precondition(bl_kernel_send(kernel, &command))
  }

  /// Plays no graph from the next cycle on.
  package func playNothing() {
    var command = bl_command()
    command.type = BL_COMMAND_SET_GRAPH
    command.graph = nil
    precondition(bl_kernel_send(kernel, &command))
  }

  package func send(_ type: bl_command_type, to node: Int, _ fill: (inout bl_command) -> Void) {
    var command = bl_command()
    command.type = type
    command.node = UInt32(node)
    fill(&command)
    precondition(bl_kernel_send(kernel, &command), "the ring is full")
  }

  /// Schedules a parameter event (a ramp above 0 frames) at an absolute sample time.
  package func schedule(
    _ node: Int, parameter: Int = 0, value: Float, ramp: Int = 0, at time: Int64
  ) {
    send(BL_COMMAND_SCHEDULE, to: node) { command in
      command.event = bl_event()
      command.event.sample_time = time
      command.event.type = ramp > 0 ? BL_EVENT_PARAMETER_RAMP : BL_EVENT_PARAMETER
      command.event.parameter = bl_parameter_event(
        address: UInt64(parameter), value: value, ramp_duration: UInt32(ramp), is_line: true)
    }
  }

  package struct Message: Equatable {
    package var frame: Int
    package var port: Int
    package var bytes: [UInt8]
    package init(_ bytes: [UInt8], at frame: Int, port: Int = 0) {
      (self.bytes, self.frame, self.port) = (bytes, frame, port)
    }
  }

  /// Renders channels × frames of input in cycles of the given lengths, repeated; returns the
  /// output, channels × frames.
  package func render(
    _ input: [[Float]] = [], frames: Int, cycles: [Int] = [64], midi: [Message] = []
  ) -> [[Float]] {
    var output = [[Float]](repeating: [], count: outputCounts.reduce(0, +))
    var done = 0
    var turn = 0
    while done < frames {
      let count = min(cycles[turn % cycles.count], frames - done)
      turn += 1
      let due = midi.filter { done..<done + count ~= $0.frame }
      let block = input.map { Array($0[done..<done + count]) }
      let rendered = renderCycle(block, count, outputs: output.count, due, from: done)
      for channel in output.indices { output[channel] += rendered[channel] }
      done += count
    }
    return output
  }

  /// The messages of the rack's MIDI outputs; frames count from the start of each `render`.
  package var midiOutput: [Message] = []
  /// The most messages that the outputs accept in a cycle.
  package var midiOutputRoom = Int.max
  private var cycleStart = 0

  private func record(_ message: bl_midi_message) -> Bool {
    let bytes = Array(UnsafeBufferPointer(start: message.data, count: Int(message.length)))
    let frame = cycleStart + Int(message.frame)
    guard midiOutput.count(where: { $0.frame >= cycleStart }) < midiOutputRoom else { return false }
    midiOutput.append(.init(bytes, at: frame, port: Int(message.port)))
    return true
  }

  /// Lets the kernel receive commands, as at the start of a cycle.
  package func receiveCommands() { bl_kernel_begin_cycle(kernel) }

  /// The published measurements of a graph.
  package struct Telemetry {
    package var cycle: bl_cycle_telemetry
    package var inputs: [bl_level]
    package var outputs: [bl_level]
    package var units: [bl_unit_telemetry]
    package var midiInputs: [bl_midi_telemetry]
  }

  package private(set) var telemetry: [Telemetry] = []
  private var playing: Set<OpaquePointer> = []

  /// Receives the reports and the telemetry, and destroys retired graphs.
  package func receiveReports() {
    for graph in playing { readTelemetry(of: graph) }
    var report = bl_report()
    while bl_kernel_receive(kernel, &report) {
      reports.append(report)
      if report.type == BL_REPORT_GRAPH_RETIRED {
        readTelemetry(of: report.graph)
        playing.remove(report.graph)
        bl_graph_destroy(report.graph)
      }
    }
  }

  private func readTelemetry(of graph: OpaquePointer) {
    guard let telemetry = bl_graph_telemetry(graph)?.pointee else { return }
    func array<Element>(_ first: UnsafePointer<Element>, _ count: UInt32) -> [Element] {
      Array(UnsafeBufferPointer(start: first, count: Int(count)))
    }
    self.telemetry.append(
      Telemetry(
        cycle: telemetry.cycle, inputs: array(telemetry.inputs, telemetry.input_count),
        outputs: array(telemetry.outputs, telemetry.output_count),
        units: array(telemetry.units, telemetry.unit_count),
        midiInputs: array(telemetry.midi_inputs, telemetry.midi_input_count)))
    bl_graph_release_telemetry(graph)
  }

  private func renderCycle(
    _ input: [[Float]], _ frames: Int, outputs: Int, _ midi: [Message], from start: Int
  ) -> [[Float]] {
    let inputs = input.map { channel in
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      pointer.update(from: channel, count: frames)
      return pointer
    }
    let results = (0..<outputs).map { _ in
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      pointer.update(repeating: .nan, count: frames)
      return pointer
    }
    let bytes = midi.map { message in
      let pointer = UnsafeMutablePointer<UInt8>.allocate(capacity: message.bytes.count + 1)
      pointer.update(from: message.bytes, count: message.bytes.count)
      return pointer
    }
    defer {
      for pointer in inputs + results { pointer.deallocate() }
      for pointer in bytes { pointer.deallocate() }
    }
    let messages = zip(midi, bytes).map { message, bytes in
      bl_midi_message(
        port: UInt32(message.port), frame: UInt32(message.frame - start),
        length: UInt32(message.bytes.count), data: bytes)
    }
    let inputPointers: [UnsafePointer<Float>?] = inputs.map { UnsafePointer($0) }
    let outputPointers: [UnsafeMutablePointer<Float>?] = results
    inputPointers.withUnsafeBufferPointer { inputs in
      outputPointers.withUnsafeBufferPointer { outputs in
        messages.withUnsafeBufferPointer { messages in
          var cycle = bl_cycle()
          cycle.flags = hasDeadline ? 0 : UInt32(BL_RENDER_OFFLINE)
          cycle.frames = UInt32(frames)
          cycle.inputs = inputs.baseAddress
          cycle.outputs = outputs.baseAddress
          cycle.midi_count = UInt32(messages.count)
          cycle.midi = messages.baseAddress
          cycle.midi_context = Unmanaged.passUnretained(self).toOpaque()
          cycle.send_midi = { context, message in
            guard let context, let message = message?.pointee else { return false }
            let host = Unmanaged<KernelHost>.fromOpaque(context).takeUnretainedValue()
            return host.record(message)
          }
          cycleStart = start
          bl_kernel_begin_cycle(kernel)
          guard var (context, transport) = music else {
            return bl_kernel_render(kernel, &cycle)
          }
          withUnsafePointer(to: &context) { context in
            withUnsafePointer(to: &transport) { transport in
              cycle.musical_context = context
              cycle.transport_state = transport
              bl_kernel_render(kernel, &cycle)
            }
          }
        }
      }
    }
    if receivesReports { receiveReports() }
    return results.map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
  }
}

extension KernelHost {
  package func count(_ type: bl_report_type) -> Int { reports.count { $0.type == type } }
}

/// Returns reproducible noise in -1..<1.
package func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(Int32(bitPattern: state)) / 2_147_483_648
  }
}
