import AudioUnits
import BacklineTestSupport
import CKernel
import CUnit
import Glibc
import Observation
import Synchronization
import Testing
import UnitModel

/// A host's mistake is an error or has no effect; none ends the program.
@Suite struct HostMistakeTests {
  @Test func argumentsOutOfRangeAreErrors() async throws {
    let rig = try await UnitRig("aufx/gain/bkln")
    for (time, frames, bus) in [
      (Int64(0), -1, 0), (0, Int.max, 0), (0, 64, -1), (0, 64, Int.max), (.max, 64, 0),
      (.min, 64, 0),
    ] {
      var output = bl_buffers(channel_count: 2, channels: nil)
      #expect(throws: AudioUnitError.self) {
        try rig.unit.render(at: time, frames: frames, bus: bus, output: &output)
      }
    }
    let buffer = AudioPCMBuffer(format: rig.unit.outputBusses[0].format, frameCapacity: 64)
    #expect(throws: AudioUnitError.self) { try rig.unit.render(to: buffer, at: .max) }
    #expect(throws: AudioUnitError.self) { try rig.unit.render(to: buffer, bus: -1) }
    for ramp in [-1, Int.max] {
      #expect(throws: AudioUnitError.self) {
        try rig.unit.scheduleParameter(ramp: ramp, address: 0, value: 0)
      }
    }
    for time in [EventTime.now(offset: -1), .now(offset: 5000), .sampleTime(.max)] {
      #expect(throws: AudioUnitError.self) {
        try rig.unit.scheduleParameter(at: time, address: 0, value: 0)
      }
    }
    for frames in [-1, Int.max] {
      #expect(throws: AudioUnitError.self) {
        try rig.unit.morph(to: rig.unit.fullState, from: 0, frames: frames)
      }
    }
    rig.unit.waitUntilReady(frames: -1)
  }

  @Test func sampleRatesHaveARange() async throws {
    let delay = try await AudioUnit.instantiate("Delay", catalogue: ComponentCatalogue())
    for rate in [1e19, 0, -48_000, .nan, .infinity, 999, 768_001] {
      #expect(throws: AudioUnitError.self) {
        try delay.inputBusses[0].setFormat(AudioFormat(sampleRate: rate, channelCount: 2))
      }
    }
    for rate in [1_000.0, 768_000] {
      for bus in [delay.inputBusses[0], delay.outputBusses[0]] {
        try bus.setFormat(AudioFormat(sampleRate: rate, channelCount: 2))
      }
      try delay.allocateRenderResources()
      delay.deallocateRenderResources()
    }
  }

  @Test func midiForAUnitWithoutMIDIInputIsRefused() async throws {
    let rig = try await UnitRig("aufx/gain/bkln")
    let error = #expect(throws: AudioUnitError.self) {
      try rig.unit.scheduleMIDI(bytes: [0x90, 60, 1])
    }
    #expect(error?.reason == "it has no MIDI input")
  }

  @Test func aPullMayThrow() async throws {
    struct Broken: Error {}
    let rig = try await UnitRig("aufx/gain/bkln")
    var pointers: [UnsafeMutablePointer<Float>?] = [nil, nil]
    try pointers.withUnsafeMutableBufferPointer { pointers in
      var output = bl_buffers(channel_count: 2, channels: pointers.baseAddress)
      #expect(throws: Broken.self) {
        try rig.unit.render(at: 0, frames: 64, output: &output) { _, _, _, _, _ in throw Broken() }
      }
      #expect(throws: AudioUnitError.self) {
        try rig.unit.render(at: 0, frames: 64, output: &output) { _, _, _, _, _ in .cannotRender }
      }
      try rig.unit.render(at: 0, frames: 64, output: &output) { _, _, _, _, _ in .noConnection }
    }
  }

  /// A token that was already used, or that belongs to another unit, removes no observer.
  @Test func renderObserversHaveTokensOfTheirOwn() async throws {
    let calls = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    calls.initialize(to: 0)
    defer { calls.deallocate() }
    func add(to unit: AudioUnit) throws -> RenderObserverToken {
      try unit.token(
        byAddingRenderObserver: { context, flags, _, _, _ in
          guard flags & UInt32(BL_RENDER_BEFORE) != 0 else { return }
          context?.assumingMemoryBound(to: Int.self).pointee += 1
        }, context: calls)
    }
    var rig = try await UnitRig("aufx/gain/bkln")
    let other = try await UnitRig("aufx/gain/bkln")
    let foreign = try add(to: other.unit)
    let used = try add(to: rig.unit)
    rig.unit.removeRenderObserver(used)
    let token = try add(to: rig.unit)
    #expect(token != used && token != foreign)
    rig.unit.removeRenderObserver(used)
    rig.unit.removeRenderObserver(foreign)
    _ = try rig.render(frames: 64)
    #expect(calls.pointee == 1)
    rig.unit.removeRenderObserver(token)
    _ = try rig.render(frames: 64)
    #expect(calls.pointee == 1)
  }

  /// With another tree's token as originator, every observer is notified.
  @Test func parameterObserversHaveTokensOfTheirOwn() async throws {
    let definition = ParameterDefinition.parameter(
      ParameterInfo(identifier: "level", name: "Level", minimum: 0, maximum: 1, defaultValue: 0),
      address: 0)
    let (one, other) = (
      try ParameterTree(children: [definition]), try ParameterTree(children: [definition])
    )
    let heard = Mutex<[Float]>([])
    let foreign = other.token(byAddingParameterObserver: { _, _ in })
    let token = one.token(byAddingParameterObserver: { _, value in
      heard.withLock { $0.append(value) }
    })
    #expect(foreign != token)
    one.removeParameterObserver(foreign)
    var changes = one.changes().makeAsyncIterator()
    one.parameter(withAddress: 0)?.setValue(0.5, originator: foreign)
    _ = await changes.next()
    #expect(heard.withLock { $0 } == [0.5])
  }

  /// The command ring is full; the bypass follows as soon as it has room.
  @Test func aBypassWithoutRoomIsNotLost() async throws {
    var rig = try await UnitRig("aufx/gain/bkln") { unit in
      try unit.setEventCapacity(16)
      try unit.setParameter(0, to: -96)
    }
    while (try? rig.unit.scheduleParameter(address: 0, value: -96)) != nil {}
    rig.unit.shouldBypassEffect = true
    rig.unit.applyRenderChanges()
    #expect(rig.unit.shouldBypassEffect)
    let ones = Signals.constant(1, frames: 8000)
    #expect(try rig.render([[ones, ones]], frames: 8000)[0].last == 1)
    #expect(rig.unit.shouldBypassEffect)
  }

  /// An observer sets a newer value before a change of the render side has reached the tree.
  @Test func aLateEchoDoesNotUndoANewerValue() async throws {
    var rig = try await UnitRig("aufx/dely/bkln")
    let unit = rig.unit
    let feedback = try rig.address("feedback")
    withObservationTracking {
      _ = unit.tailTime
    } onChange: {
      try? unit.setParameter(feedback, to: 20)
    }
    try unit.scheduleParameter(address: feedback, value: 90)
    _ = try rig.render(frames: 512)
    #expect(unit.parameterValue(feedback) == 20)
    #expect(unit.parameterTree.parameter(withAddress: feedback)?.value == 20)
    _ = try rig.render(frames: 2048)
    #expect(unit.parameterValue(feedback) == 20)
  }

  @Test func observersOfTheStateHearOfPropertiesAndPresets() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("one.wav")
    try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 480)]).write(file)
    let unit = try await AudioUnit.instantiate("augn/play/bkln", catalogue: ComponentCatalogue())
    func isTold(_ change: () throws -> Void) rethrows -> Bool {
      let isTold = Atomic(false)
      withObservationTracking {
        _ = unit.fullState
      } onChange: {
        isTold.store(true, ordering: .relaxed)
      }
      try change()
      return isTold.load(ordering: .relaxed)
    }
    #expect(try isTold { try unit.setProperty("file", to: file) })
    #expect(unit.propertyValues == ["file": file])
    #expect(throws: AudioUnitError.self) { try unit.setProperty("fiel", to: file) }
    var state = unit.fullState
    state.presetName = "Mine"
    #expect(try isTold { try unit.restore(state) })
  }

  /// No render timeout is set, so each cycle waits for the process's answer.
  @Test func aUnitInAnotherProcessIsWaitedFor() async throws {
    let bundles = try CatalogueRig()
    try bundles.bundle(
      manifest: { $0.replacing("in_process: true", with: "") },
      code: {
        "#include <unistd.h>\n"
          + $0.replacing(
            "process(self, input.channels, output->channels, segment.first_frame,"
              + " segment.frame_count);",
            with: "usleep(20000); output->channels[0][segment.first_frame] = 0.25f;")
      })
    var rig = try await UnitRig("aufx/tmpl/Demo", in: bundles.catalogue)
    #expect(rig.unit.process == .own)
    let ones = Signals.constant(1, frames: 512)
    for _ in 0..<5 {
      #expect(try rig.render([[ones, ones]], frames: 512, cycles: [512])[0].first == 0.25)
    }
    let process = try #require(rig.unit.processIdentifier)
    kill(pid_t(process), SIGKILL)
    // A cycle without an answer is an error; the next process renders again.
    var errors = 0
    var answer: Float?
    for _ in 0..<2000 where errors == 0 || answer != 0.25 {
      do {
        answer = try rig.render([[ones, ones]], frames: 512, cycles: [512])[0].first
      } catch {
        errors += 1
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    #expect(errors > 0 && answer == 0.25)
  }

  @Test func aRelativePathIsFoundInAnotherProcess() async throws {
    let path = "relative-\(getpid()).wav"
    try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 4800)]).write(path)
    defer { unlink(path) }
    var rig = try await UnitRig("augn/play/bkln", options: .loadOutOfProcess) { unit in
      try unit.setProperty("file", to: path)
    }
    #expect(rig.unit.fullState.properties["file"] == path)
    #expect(try rig.render(frames: 1024)[0].contains { abs($0 - 0.5) < 0.01 })
  }

  @Test func aCableThatTheUnitLacksIsRefused() async throws {
    let unit = try await UnitRig("aumu/sine/bkln").unit
    try unit.scheduleMIDI(bytes: [0x90, 60, 100])
    #expect { try unit.scheduleMIDI(cable: 1, bytes: [0x90, 60, 100]) } throws: {
      "\($0)".contains("it has no MIDI cable 1, only cable 0")
    }
  }

  /// The test schedules events with the C functions, as a real-time thread does.
  @Test func aSchedulerTakesEventsFromC() async throws {
    var rig = try await UnitRig("aufx/gain/bkln")
    let scheduler = rig.unit.eventScheduler.pointer
    var change = bl_parameter_event(address: 0, value: -96, ramp_duration: 0, is_line: false)
    #expect(bl_schedule_parameter(scheduler, 100, change) == bl_status(BL_OK))
    let bytes: [UInt8] = [0x90, 60, 1]
    #expect(bl_schedule_midi(scheduler, 0, 0, 3, bytes) == bl_status(BL_ERROR_NO_SUCH_ELEMENT))
    let ones = Signals.constant(1, frames: 128)
    let output = try rig.render([[ones, ones]], frames: 128)[0]
    #expect(output[99] == 1 && output[100] < 0.001)
    rig.unit.deallocateRenderResources()
    change.value = 0
    #expect(bl_schedule_parameter(scheduler, 0, change) == bl_status(BL_ERROR_NOT_ALLOCATED))
  }
}
