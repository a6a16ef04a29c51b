import BacklineTestSupport
import CUnit
import Testing

/// Channel counts and render resources, for every unit.
@Suite struct FormatConformanceTests {
  /// Channel counts that the unit says it takes: one for all inputs, one for all outputs.
  private func formats(_ unit: BuiltInUnit) -> [(input: Int, output: Int)] {
    let facts = unit.facts
    guard facts.channel_capability_count > 0 else {
      return [1, 2, 3, 8, 32].map { ($0, $0) }
    }
    return (0..<Int(facts.channel_capability_count)).flatMap { index in
      let capability = facts.channel_capabilities[index]
      if capability.input == -1, capability.output == -1 {
        return [1, 2, 5].map { (input: $0, output: $0) }
      }
      let inputs = capability.input < 0 ? [1, 2, 5] : [Int(capability.input)]
      let outputs = capability.output < 0 ? [1, 2, 5] : [Int(capability.output)]
      return inputs.flatMap { input in outputs.map { (input: input, output: $0) } }
    }
  }

  @Test(arguments: BuiltInUnit.all) func everyFormatItNamesWorks(_ unit: BuiltInUnit) throws {
    for format in formats(unit) {
      let inputs = unit.inputBusses.map { bus in
        unit.isSidechain(bus) ? min(format.input, Int(bus.default_channel_count)) : format.input
      }
      let frames = 1500
      let rendered = try [[512], [64, 17]].map { sizes in
        let host = try UnitHost(
          unit.descriptor, inputChannels: inputs,
          outputChannels: unit.outputBusses.map { _ in format.output })
        return host.render(
          inputs: unit.noise(for: inputs, frames: frames), frames: frames, blockSizes: sizes,
          events: unit.events(frames: frames, inputBusCount: inputs.count),
          memory: unit.plainMemory)
      }
      #expect(rendered[0].count == format.output)
      #expect(isFinite(rendered[0]))
      #expect(identical(rendered[0], rendered[1]), "\(format)")
    }
  }

  @Test(arguments: BuiltInUnit.all.filter { $0.facts.channel_capability_count == 0 })
  func otherFormatsAreRefused(_ unit: BuiltInUnit) {
    guard !unit.inputBusses.isEmpty else { return }
    #expect(throws: UnitHost.Refusal.self) {
      try UnitHost(
        unit.descriptor, inputChannels: unit.inputBusses.map { _ in 2 }, outputChannels: [3])
    }
  }

  @Test(arguments: BuiltInUnit.all) func resourcesComeAndGo(_ unit: BuiltInUnit) throws {
    let facts = unit.facts
    let instance = try #require(facts.create(unit.descriptor))
    defer { facts.destroy(instance) }
    let inputs = unit.inputBusses.map(\.default_channel_count)
    let outputs = unit.outputBusses.map(\.default_channel_count)
    for (sampleRate, maximumFrames) in [(44_100.0, 16), (192_000, 8192), (48_000, 64)] {
      let status = inputs.withUnsafeBufferPointer { inputs in
        outputs.withUnsafeBufferPointer { outputs in
          var configuration = bl_render_configuration(
            sample_rate: sampleRate, maximum_frames: UInt32(maximumFrames),
            input_bus_count: UInt32(inputs.count), output_bus_count: UInt32(outputs.count),
            input_channel_counts: inputs.baseAddress, output_channel_counts: outputs.baseAddress)
          return facts.allocate_render_resources(instance, &configuration)
        }
      }
      #expect(status == BL_OK)
      facts.reset(instance)
      facts.deallocate_render_resources(instance)
    }
  }
}
