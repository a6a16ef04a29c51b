import BacklineTestSupport
import CUnit
import Testing

/// What every unit's rendering must keep to, whatever the unit does to the sound.
@Suite struct RenderConformanceTests {
  /// Noise and events through a fresh instance.
  private func render(
    _ unit: BuiltInUnit, blockSizes: [Int], memory: UnitHost.OutputMemory? = nil,
    sampleRate: Double = 48_000, frames: Int = 5000
  ) throws -> [[Float]] {
    let inputs = unit.generousInputs
    let host = try UnitHost(unit.descriptor, sampleRate: sampleRate, inputChannels: inputs)
    return host.render(
      inputs: unit.noise(for: inputs, frames: frames), frames: frames, blockSizes: blockSizes,
      events: unit.events(frames: frames, inputBusCount: inputs.count),
      memory: memory ?? unit.plainMemory)
  }

  @Test(arguments: BuiltInUnit.all) func blockSizeDoesNotMatter(_ unit: BuiltInUnit) throws {
    let expected = try render(unit, blockSizes: [4096])
    #expect(isFinite(expected))
    for sizes in [[1], [17], [64], [480], [1024], [1, 64, 17, 480, 3, 4096, 1024, 63]] {
      let rendered = try render(unit, blockSizes: sizes)
      #expect(identical(rendered, expected), "blocks of \(sizes)")
    }
  }

  @Test(arguments: BuiltInUnit.all) func outputMemoryDoesNotMatter(_ unit: BuiltInUnit) throws {
    let expected = try render(unit, blockSizes: [64], memory: unit.memories[0])
    for memory in unit.memories.dropFirst() {
      for sizes in [[64], [17, 480]] {
        let rendered = try render(unit, blockSizes: sizes, memory: memory)
        #expect(identical(rendered, expected), "\(memory), blocks of \(sizes)")
      }
    }
  }

  @Test(arguments: BuiltInUnit.all) func resetForgetsTheSound(_ unit: BuiltInUnit) throws {
    let inputs = unit.generousInputs
    let frames = 3000
    let noise = unit.noise(for: inputs, frames: frames)
    let used = try UnitHost(unit.descriptor, inputChannels: inputs)
    // It ends within ramps and with notes held.
    _ = used.render(
      inputs: noise, frames: frames,
      events: unit.events(frames: frames, inputBusCount: inputs.count), memory: unit.plainMemory)
    used.reset()

    let fresh = try UnitHost(unit.descriptor, inputChannels: inputs)
    for parameter in unit.parameters {
      let identifier = String(cString: parameter.identifier)
      for bus in 0..<(parameter.isPerInputBus ? inputs.count : 1) {
        fresh.set(identifier, used.value(identifier, bus: bus), bus: bus)
      }
    }
    fresh.reset()
    let rendered = [fresh, used].map {
      $0.render(
        inputs: noise, frames: frames,
        events: unit.events(frames: frames, inputBusCount: inputs.count, seed: 99),
        memory: unit.plainMemory)
    }
    #expect(identical(rendered[0], rendered[1]))
  }

  @Test(arguments: BuiltInUnit.all) func instancesDoNotMeet(_ unit: BuiltInUnit) throws {
    let inputs = unit.generousInputs
    let frames = 2000
    let noise = unit.noise(for: inputs, frames: frames)
    let events = [20, 21].map {
      unit.events(frames: frames, inputBusCount: inputs.count, seed: $0)
    }
    func renderInTurn(_ turns: [Int]) throws -> [[[Float]]] {
      let hosts = try events.map { _ in try UnitHost(unit.descriptor, inputChannels: inputs) }
      var rendered = hosts.map { _ in [[Float]]() }
      for index in turns {
        rendered[index] += hosts[index].render(
          inputs: noise, frames: frames, events: events[index], memory: unit.plainMemory)
      }
      return rendered
    }
    let together = try renderInTurn([0, 1, 1, 0, 0, 1])
    let apart = try renderInTurn([0, 0, 0])[0]
    let other = try renderInTurn([1, 1, 1])[1]
    #expect(identical(together[0], apart))
    #expect(identical(together[1], other))
  }

  /// Each parameter alone at its ends, and all at once.
  @Test(arguments: BuiltInUnit.all) func extremesStayFinite(_ unit: BuiltInUnit) throws {
    let inputs = unit.generousInputs
    let frames = 3000
    let noise = unit.noise(for: inputs, frames: frames)
    let notes = unit.has(BL_UNIT_MIDI_INPUT) ? unit.notes(frames: frames) : []
    for pattern in 0..<(2 * unit.parameters.count + 2) {
      let host = try UnitHost(unit.descriptor, inputChannels: inputs)
      for (index, parameter) in unit.parameters.enumerated() {
        let isMeant = pattern / 2 == index || pattern / 2 == unit.parameters.count
        let end = pattern % 2 == 0 ? parameter.minimum : parameter.maximum
        host.set(
          String(cString: parameter.identifier), isMeant ? end : parameter.default_value)
      }
      let rendered = host.render(
        inputs: noise, frames: frames, events: notes, memory: unit.plainMemory)
      #expect(isFinite(rendered), "pattern \(pattern)")
    }
  }

  @Test(arguments: BuiltInUnit.all) func jumpsBetweenExtremesStayFinite(
    _ unit: BuiltInUnit
  ) throws {
    let host = try UnitHost(unit.descriptor)
    let inputs = unit.inputBusses.map { Int($0.default_channel_count) }
    let frames = 6000
    var events = unit.has(BL_UNIT_MIDI_INPUT) ? unit.notes(frames: frames) : []
    for (index, parameter) in unit.parameters.enumerated() where parameter.isWritable {
      for (turn, frame) in stride(from: index, to: frames, by: 7 + index).enumerated() {
        let value = turn % 2 == 0 ? parameter.minimum : parameter.maximum
        events.append(.parameter(UInt64(index), value, at: frame))
      }
    }
    let rendered = host.render(
      inputs: unit.noise(for: inputs, frames: frames), frames: frames, events: events,
      memory: unit.plainMemory)
    #expect(isFinite(rendered))
  }

  @Test(arguments: BuiltInUnit.all) func silenceStaysClean(_ unit: BuiltInUnit) throws {
    let host = try UnitHost(unit.descriptor)
    let inputs = unit.inputBusses.map { Int($0.default_channel_count) }
    let rendered = host.render(
      inputs: unit.noise(for: inputs, frames: 1000), frames: 20_000, memory: unit.plainMemory)
    #expect(isFinite(rendered))
    let unconnected = try UnitHost(unit.descriptor)
    #expect(isFinite(unconnected.render(frames: 2000, memory: unit.plainMemory)))
  }

  @Test(arguments: BuiltInUnit.all) func garbageDoesNoHarm(_ unit: BuiltInUnit) throws {
    var random = Random(seed: 3)
    let inputs = unit.inputBusses.map { Int($0.default_channel_count) }
    let frames = 4000
    let noise = unit.noise(for: inputs, frames: frames)
    let midi = (0..<600).map { _ in
      let bytes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      return UnitHost.Event.midi(
        bytes, cable: UInt8.random(in: 0...255, using: &random),
        at: Int.random(in: 0..<frames, using: &random))
    }
    let nowhere = [UInt64(unit.parameters.count), 0xFFFF_FFFF, 500 << 32, .max].map {
      UnitHost.Event.parameter($0, 1, ramp: 30, at: 100)
    }
    let disturbed = try UnitHost(unit.descriptor).render(
      inputs: noise, frames: frames, blockSizes: [64], events: midi + nowhere,
      memory: unit.plainMemory)
    #expect(isFinite(disturbed))
    if !unit.has(BL_UNIT_MIDI_INPUT) {
      let plain = try UnitHost(unit.descriptor).render(
        inputs: noise, frames: frames, memory: unit.plainMemory)
      #expect(identical(disturbed, plain))
    }
  }

  @Test(arguments: BuiltInUnit.all, [8000, 22_050, 44_100, 48_000, 96_000, 192_000])
  func everySampleRateWorks(_ unit: BuiltInUnit, sampleRate: Double) throws {
    let whole = try render(unit, blockSizes: [1024], sampleRate: sampleRate, frames: 2500)
    let pieces = try render(unit, blockSizes: [64, 13], sampleRate: sampleRate, frames: 2500)
    #expect(isFinite(whole))
    #expect(identical(whole, pieces))
  }

  @Test(arguments: BuiltInUnit.all) func tailAndLatencyMakeSense(_ unit: BuiltInUnit) throws {
    let host = try UnitHost(unit.descriptor)
    #expect(host.tailTime >= 0)
    #expect(host.latency >= 0 && host.latency < 48_000)
  }
}
