import AudioUnits
import BacklineTestSupport
import CKernel
import CUnit
import Foundation
import Observation
import Synchronization
import Testing
import UnitModel

/// A standalone unit is created, allocated, rendered and changed.
@Suite struct AudioUnitTests {
  private func make(_ name: String) async throws -> AudioUnit {
    try await AudioUnit.instantiate(
      try #require(ComponentDescription(name)), catalogue: ComponentCatalogue())
  }

  @Test func itSaysWhatItIs() async throws {
    let unit = try await make("aufx/cmpr/bkln")
    #expect(unit.name == "Compressor" && unit.manufacturerName == "Backline")
    #expect("\(unit.componentDescription)" == "aufx/cmpr/bkln" && unit.componentVersion == 0x10000)
    #expect(unit.canProcessInPlace && !unit.supportsMPE && unit.virtualMIDICableCount == 0)
    #expect(unit.inputBusses.map(\.name) == ["input", "sidechain"])
    #expect(unit.inputBusses.map(\.isEnabled) == [true, false])
    let second = try await make("aufx/cmpr/bkln")
    #expect(second !== unit)
    // Without a catalogue argument, this machine's catalogue is used.
    let description = try #require(ComponentDescription("aumu/sine/bkln"))
    let instrument = try await AudioUnit.instantiate(description, options: .loadInProcess)
    #expect(instrument.supportsMPE && instrument.virtualMIDICableCount == 1)
    #expect(instrument.component.hasMIDIInput && instrument.midiOutputNames.isEmpty)
  }

  @Test(arguments: [
    ("aufx/dlay/bkln", "there is no such unit; did you mean aufx/dely/bkln?"),
    ("aufx/*/bkln", "name one of them"),
  ]) func whatCannotBeMadeSaysWhy(name: String, reason: String) async throws {
    let error = await #expect(throws: AudioUnitError.self) { try await make(name) }
    #expect(error?.description.contains(name) == true)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test func eventsArePlayedAtTheirFramesHoweverTheCyclesAreCut() async throws {
    for cycles in [[1], [17, 64], [1024]] {
      var rig = try await UnitRig("aufx/gain/bkln")
      let gain = try rig.address("gain")
      try rig.unit.scheduleParameter(at: .sampleTime(700), address: gain, value: -6)
      try rig.unit.scheduleParameter(at: .sampleTime(300), address: gain, value: 6)
      let ones = Signals.constant(1, frames: 1000)
      let output = try rig.render([[ones, ones]], frames: 1000, cycles: cycles)
      for frame in 0..<1000 {
        let decibels = frame < 300 ? 0.0 : frame < 700 ? 6 : -6
        #expect(abs(Double(output[0][frame]) - pow(10, decibels / 20)) < 1e-5, "frame \(frame)")
      }
      #expect(rig.unit.parameterValue(gain) == -6)
    }
  }

  @Test func nowIsTheNextCycle() async throws {
    var rig = try await UnitRig("aufx/gain/bkln")
    let gain = try rig.address("gain")
    let ones = Signals.constant(1, frames: 100)
    _ = try rig.render([[ones, ones]], frames: 100)
    try rig.unit.scheduleParameter(at: .now(offset: 10), address: gain, value: -96)
    let output = try rig.render([[ones, ones]], frames: 100)[0]
    #expect(output[9] == 1 && output[10] == 0)
  }

  @Test func aHundredThousandEventsAreKept() async throws {
    let count = 100_000
    var rig = try await UnitRig("aufx/gain/bkln") { unit in
      try unit.setEventCapacity(count)
    }
    let gain = try rig.address("gain")
    for number in 0..<count {
      let value = Float(number % 20)
      try rig.unit.scheduleParameter(
        at: .sampleTime(Int64(number)), address: gain, value: value)
    }
    rig.unit.isRenderingOffline = true
    let ones = Signals.constant(1, frames: count)
    let output = try rig.render([[ones, ones]], frames: count, cycles: [1024])[0]
    let wrong = output.indices.first { frame in
      abs(Double(output[frame]) / pow(10, Double(frame % 20) / 20) - 1) > 1e-5
    }
    #expect(wrong == nil)
    #expect(rig.unit.lostEventCount == 0)
  }

  @Test func fourThreadsScheduleWhileItRendersAndGoesAway() async throws {
    var rig = try await UnitRig("aufx/gain/bkln")
    let unit = rig.unit
    let gain = try rig.address("gain")
    let isStopping = Atomic(false)
    let sent = Atomic(0)
    let threads = (0..<4).map { number in
      Thread {
        while !isStopping.load(ordering: .relaxed) {
          if (try? unit.scheduleParameter(address: gain, value: Float(number))) != nil {
            sent.add(1, ordering: .relaxed)
          }
          _ = unit.parameterValue(gain)
        }
      }
    }
    for thread in threads { thread.start() }
    while sent.load(ordering: .relaxed) == 0 { sched_yield() }
    let ones = Signals.constant(1, frames: 64)
    for round in 0..<300 {
      let output = try rig.render([[ones, ones]], frames: 64)[0]
      #expect(output.allSatisfy { $0 >= 1 && $0 <= 1.42 })
      if round % 50 == 49 {
        unit.deallocateRenderResources()
        #expect(!unit.renderResourcesAllocated)
        try unit.allocateRenderResources()
      }
    }
    isStopping.store(true, ordering: .relaxed)
    while threads.contains(where: { !$0.isFinished }) { sched_yield() }
  }

  @Test func aNoteSounds() async throws {
    var rig = try await UnitRig("aumu/sine/bkln")
    #expect(try rig.render(frames: 1000)[0].allSatisfy { $0 == 0 })
    try rig.unit.scheduleMIDI(at: .sampleTime(1200), bytes: [0x90, 69, 100])
    let output = try rig.render(frames: 1000)[0]
    #expect(output[..<200].allSatisfy { $0 == 0 })
    #expect(output[200...].contains { abs($0) > 0.001 })
    #expect(throws: AudioUnitError.self) { try rig.unit.scheduleMIDI(bytes: [0x90, 1]) }
    let tooLong = [0xF0] + [UInt8](repeating: 0, count: AudioUnit.longestSystemExclusive) + [0xF7]
    #expect(throws: AudioUnitError.self) { try rig.unit.scheduleMIDI(bytes: tooLong) }
    #expect(throws: AudioUnitError.self) { try rig.unit.scheduleMIDI(bytes: [0xF0, 0x90, 0xF7]) }
  }

  @Test func whatIsScheduledWithoutResourcesIsRefused() async throws {
    let unit = try await make("aufx/gain/bkln")
    #expect(throws: AudioUnitError.self) { try unit.scheduleParameter(address: 0, value: 1) }
    #expect(throws: AudioUnitError.self) { try unit.scheduleMIDI(bytes: [0x90, 60, 1]) }
    #expect(throws: AudioUnitError.self) { try unit.setParameter(77, to: 1) }
    #expect(throws: AudioUnitError.self) { try unit.setParameter(0, to: .nan) }
  }

  @Test func observersAreCalledBeforeAndAfterEachCycle() async throws {
    var rig = try await UnitRig("aufx/gain/bkln")
    let calls = UnsafeMutablePointer<Int>.allocate(capacity: 2)
    calls.initialize(repeating: 0, count: 2)
    defer { calls.deallocate() }
    let token = try rig.unit.token(
      byAddingRenderObserver: { context, flags, timestamp, frames, bus in
        guard let calls = context?.assumingMemoryBound(to: Int.self), let timestamp else { return }
        if flags & UInt32(BL_RENDER_BEFORE) != 0 { calls[0] += Int(frames) }
        if flags & UInt32(BL_RENDER_AFTER) != 0 {
          calls[1] = Int(timestamp.pointee.sample_time) + Int(frames) + Int(bus)
        }
      }, context: calls)
    let ones = Signals.constant(1, frames: 640)
    _ = try rig.render([[ones, ones]], frames: 640, cycles: [64])
    #expect(calls[0] == 640 && calls[1] == 640)
    rig.unit.removeRenderObserver(token)
    _ = try rig.render([[ones, ones]], frames: 640, cycles: [64])
    #expect(calls[0] == 640)
  }

  @Test func bypassLetsTheInputThrough() async throws {
    var rig = try await UnitRig("aufx/gain/bkln") { unit in
      try unit.setParameter(0, to: -96)
      unit.shouldBypassEffect = true
    }
    let ones = Signals.constant(1, frames: 2000)
    #expect(try rig.render([[ones, ones]], frames: 2000)[0].allSatisfy { $0 == 1 })
    rig.unit.shouldBypassEffect = false
    #expect(try rig.render([[ones, ones]], frames: 2000)[0].last == 0)
  }

  @Test func nullPointersAreAnsweredWithTheUnitsMemory() async throws {
    let rig = try await UnitRig("aufx/gain/bkln")
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 64)
    samples.initialize(repeating: 0.5, count: 64)
    defer { samples.deallocate() }
    var pointers: [UnsafeMutablePointer<Float>?] = [nil, nil]
    try pointers.withUnsafeMutableBufferPointer { pointers in
      var output = bl_buffers(channel_count: 2, channels: pointers.baseAddress)
      try rig.unit.render(at: 0, frames: 64, output: &output) { _, _, _, _, input in
        // Replace the offered pointers by the host's own memory.
        input.pointee.channels[0] = samples
        input.pointee.channels[1] = samples
        return .ok
      }
    }
    for pointer in pointers { #expect(pointer?[0] == 0.5 && pointer?[63] == 0.5) }
    let error = #expect(throws: AudioUnitError.self) {
      var output = bl_buffers(channel_count: 2, channels: nil)
      try rig.unit.render(at: 64, frames: 4096, output: &output)
    }
    #expect(error?.reason.contains("1024") == true)
  }

  @Test func theTreeAndTheUnitAgree() async throws {
    var rig = try await UnitRig("aufx/gain/bkln")
    let gain = try #require(rig.unit.parameterTree.parameter(atKeyPath: "gain"))
    gain.value = -96
    #expect(rig.unit.parameterValue(gain.address) == -96)
    let ones = Signals.constant(1, frames: 1000)
    #expect(try rig.render([[ones, ones]], frames: 1000)[0].last == 0)
    try rig.unit.scheduleParameter(address: gain.address, value: 0)
    _ = try rig.render([[ones, ones]], frames: 64)
    #expect(gain.value == 0)
    try rig.unit.setParameter(gain.address, to: 3)
    #expect(gain.value == 3)
    // The value that came from the render side is not sent back there with a ramp.
    _ = try rig.render([[ones, ones]], frames: 1000)
    #expect(abs(Double(try rig.render([[ones, ones]], frames: 1)[0][0]) - 1.412_537_5) < 1e-5)
  }

  @Test func aParametersChangeReachesThoseWhoObserveTheTail() async throws {
    var rig = try await UnitRig("aufx/dely/bkln")
    let before = rig.unit.tailTime
    #expect(before > 0)
    let isTold = Atomic(false)
    withObservationTracking {
      _ = rig.unit.tailTime
    } onChange: {
      isTold.store(true, ordering: .relaxed)
    }
    try rig.unit.scheduleParameter(address: try rig.address("feedback"), value: 90)
    _ = try rig.render(frames: 512)
    let wasTold = isTold.load(ordering: .relaxed)
    #expect(wasTold)
    #expect(rig.unit.tailTime > before)
  }

  @Test func whatIsSetAndNotYetPlayedIsKept() async throws {
    let input = [[Signals.constant(1, frames: 480), Signals.constant(1, frames: 480)]]
    var rig = try await UnitRig("aufx/gain/bkln")
    try rig.unit.setParameter(try rig.address("gain"), to: -20)
    rig.unit.deallocateRenderResources()
    try rig.unit.allocateRenderResources()
    #expect(rig.unit.parameterValues[try rig.address("gain")] == -20)
    let output = try rig.render(input, frames: 480)[0]
    #expect(output.allSatisfy { abs($0 - 0.1) < 1e-6 })
  }

  @Test func whatIsOnItsWayIsNotTakenBack() async throws {
    let rig = try await UnitRig("aufx/dely/bkln")
    let (time, mix) = (try rig.address("time"), try rig.address("mix"))
    let block = try #require(rig.unit.renderBlock)
    try rig.unit.setParameter(time, to: 0.5)
    rig.unit.shouldBypassEffect = true
    play(64, of: block)
    try rig.unit.setParameter(time, to: 0.25)
    try rig.unit.setParameter(mix, to: 12)
    rig.unit.shouldBypassEffect = false
    rig.unit.applyRenderChanges()
    #expect(rig.unit.parameterValues[time] == 0.25)
    #expect(rig.unit.parameterValues[mix] == 12)
    #expect(!rig.unit.shouldBypassEffect)
    // After that, values set by events count again.
    try rig.unit.scheduleParameter(address: time, value: 0.125)
    play(64, of: block)
    rig.unit.applyRenderChanges()
    #expect(rig.unit.parameterValues[time] == 0.125)
    #expect(rig.unit.parameterValues[mix] == 12)
  }

  /// Renders through the block, without applying the changes of the render side.
  private func play(_ frames: Int, of block: RenderBlock) {
    var left = [Float](repeating: 0, count: frames)
    var right = left
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        var pointers = [left.baseAddress, right.baseAddress]
        pointers.withUnsafeMutableBufferPointer { pointers in
          var output = bl_buffers(channel_count: 2, channels: pointers.baseAddress)
          var timestamp = bl_timestamp(sample_time: 0)
          #expect(
            bl_render_block_render(
              block.pointer, 0, &timestamp, UInt32(frames), 0, &output, nil, nil)
              == bl_status(BL_OK))
        }
      }
    }
  }

  @Test func aMeterTellsWhereItStands() async throws {
    var rig = try await UnitRig("aufx/cmpr/bkln")
    let meter = try rig.address("gain_reduction")
    #expect(rig.unit.parameterValue(meter) == 0)
    let ones = Signals.constant(1, frames: 4800)
    _ = try rig.render([[ones, ones]], frames: 4800)
    #expect(abs((rig.unit.parameterValue(meter) ?? 0) - 13.5) < 0.01)
    #expect(throws: AudioUnitError.self) { try rig.unit.setParameter(meter, to: 1) }
  }

  @Test func providersStayWhileItMayBeRendered() async throws {
    let unit = try await make("aufx/gain/bkln")
    try unit.allocateRenderResources()
    #expect(throws: AudioUnitError.self) { try unit.setMusicalContextBlock(nil) }
    #expect(throws: AudioUnitError.self) { try unit.setTransportStateBlock(nil) }
  }
}
