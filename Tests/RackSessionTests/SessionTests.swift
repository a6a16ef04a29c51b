import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Commands to a rack that plays.
  @Suite(.serialized) struct Session {
    private let rack = """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        level: { unit: aufx/gain/bkln, parameters: { gain: -3 dB } }
        echo:
          unit: aufx/dely/bkln
          preset: Slapback
          parameters: { time: 90 ms, tone: 20 kHz, mix: 30 % }
      connections: [ in -> level -> echo -> out ]
      """

    @Test func aSceneIsRecalledAndUndoneInOneStep() async throws {
      let scenes = """

        scenes:
          far: { echo.mix: 60 %, level.bypass: true }
          near: { over: 50 ms, echo.mix: 5 %, level.gain: -9 dB }
        """
      try await SessionRig.run(rack + scenes) { rig in
        let first = try await rig.state()
        try await rig.perform("scene far")
        #expect(try await rig.text(of: "echo.mix") == "60 %")
        #expect(try await rig.text(of: "level.bypass") == "on")
        try await rig.perform("scene near")
        try await eventually("it has come there") {
          (try? await rig.text(of: "level.gain")) == "-9 dB"
        }
        #expect(try await rig.text(of: "level.bypass") == "on")
        try await rig.perform("undo", "undo")
        #expect(try await rig.state() == first)
        let error = await #expect(throws: Refusal.self) { try await rig.perform("scene fra") }
        #expect(error?.description.contains("it has far, near; did you mean “far”?") == true)
      }
    }

    @Test func aRampSaysWhereItIs() async throws {
      try await SessionRig.run(rack) { rig in
        try await rig.perform("ramp level.gain -60 dB --over 1000 s")
        let reading = try await rig.session.reading(of: "level.gain")
        #expect((-10...(-3)).contains(reading.value), "\(reading)")
        try await rig.perform("set level.gain -20 dB")
        #expect(try await rig.text(of: "level.gain") == "-20 dB")
      }
    }

    /// Ramps may come from the session, or from scenes, which the render side moves.
    @Test func whatIsSavedDuringRampsHasTheirTargets() async throws {
      let folder = try TemporaryFolder()
      let scenes = "\nscenes: { far: { over: 600 s, echo.mix: 60 % } }"
      try await SessionRig.run(rack + scenes) { rig in
        try await rig.perform(
          "ramp level.gain -60 dB --over 1000 s", "scene far",
          "save \"\(folder.path("copy.yaml"))\"")
        let copy = try String(contentsOfFile: folder.path("copy.yaml"), encoding: .utf8)
        #expect(copy.contains("gain: -60 dB") && copy.contains("mix: 60 %"), "\(copy)")
        // The ramps continue.
        let reading = try await rig.session.reading(of: "level.gain")
        #expect(reading.value > -30, "\(reading)")
      }
    }

    @Test func aReadingIsShownWithSixDigitsAndSavedExactly() async throws {
      let folder = try TemporaryFolder()
      try await SessionRig.run(rack) { rig in
        try await rig.perform("set echo.mix 34.918625", "save \"\(folder.path("copy.yaml"))\"")
        let reading = try await rig.session.reading(of: "echo.mix")
        #expect(reading.text == "34.9186 %" && reading.value == 34.918625)
        let copy = try String(contentsOfFile: folder.path("copy.yaml"), encoding: .utf8)
        #expect(copy.contains("mix: 34.918625 %"), "\(copy)")
      }
    }

    /// Each key is an undo step with the pitch and the velocity that it recorded.
    @Test func whatAUnitRecordsIsUndone() async throws {
      let rack = """
        rack: Test
        inputs: { keys: { midi: true } }
        outputs: { notes: { midi: true } }
        units:
          steps: { unit: aumi/step/bkln, parameters: { record: true, note: C4, velocity.2: 50 } }
        connections: [ keys -> steps -> notes ]
        """
      try await SessionRig.run(rack) { rig in
        for key in [UInt8(64), 67] {
          try await rig.session.send(midi: [0x90, key, 90], to: "keys")
          try await eventually("\(key) is recorded") {
            await rig.session.history.last?.title.contains(key == 64 ? "pitch.1" : "pitch.2")
              == true
          }
        }
        try await eventually("both values are there") {
          (try? await rig.text(of: "steps.velocity.2")) == "90"
        }
        #expect(try await rig.text(of: "steps.pitch.1") == "4 semitones")
        #expect(try await rig.text(of: "steps.pitch.2") == "7 semitones")
        try await eventually("the step is whole") {
          await rig.session.history.last?.title == "steps.pitch.2, steps.velocity.2 set"
        }
        try await rig.perform("undo")
        #expect(try await rig.text(of: "steps.pitch.2") == "0 semitones")
        #expect(try await rig.text(of: "steps.velocity.2") == "50")
        #expect(try await rig.text(of: "steps.pitch.1") == "4 semitones")
        try await rig.perform("undo")
        #expect(try await rig.text(of: "steps.pitch.1") == "0 semitones")
        try await rig.perform("redo", "redo")
        #expect(try await rig.text(of: "steps.pitch.2") == "7 semitones")
      }
    }

    /// The sample's file is removed before the disk is read.
    @Test func whatAUnitLogsIsInTheLog() async throws {
      let folder = try TemporaryFolder()
      let path = folder.path("ones.wav")
      try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 300_000)])
        .write(path, .waveFloat)
      let instrument = try folder.write(
        "ones.sfz", bytes: Array("<region> sample=ones.wav".utf8))
      let rack = """
        rack: Test
        inputs: { keys: { midi: true } }
        outputs: { out: { channels: 2 } }
        units:
          keys1: { unit: aumu/smpl/bkln, properties: { memory: "1", file: \(instrument) } }
        connections: [ keys -> keys1 -> out ]
        """
      try await SessionRig.run(rack) { rig in
        try FileManager.default.removeItem(atPath: path)
        try await rig.session.send(midi: [0x90, 60, 100], to: "keys")
        try await eventually("the line is there") {
          await rig.engine.engine.logEntries.contains {
            $0.text == "keys1: the disk was too slow; sound is missing" && !$0.isWarning
          }
        }
      }
    }

    @Test func aRatioIsWrittenAsPeopleWriteIt() async throws {
      let rack = """
        rack: Test
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units: { squeeze: { unit: aufx/cmpr/bkln } }
        connections: [ in -> squeeze -> out ]
        """
      try await SessionRig.run(rack) { rig in
        #expect(try await rig.text(of: "squeeze.ratio") == "4:1")
        let done = try await rig.session.perform("set squeeze.ratio ∞:1")
        #expect(done.text == "squeeze: Ratio ∞:1")
        #expect(try await rig.session.reading(of: "squeeze.ratio").value == 100)
        try await rig.perform("set squeeze.ratio 2")
        #expect(try await rig.text(of: "squeeze.ratio") == "2:1")
        let unit = try #require(await rig.session.listing().units.first)
        #expect(unit.parameters.first { $0.parameter == "squeeze.ratio" }?.text == "2:1")
        await #expect(throws: Refusal.self) {
          try await rig.perform("set squeeze.ratio 2:3")
        }
      }
    }

    @Test func gesturesDoNotWaitForASlowCommand() async throws {
      let scenes = "\nscenes: { far: { echo.mix: 60 % } }"
      try await SessionRig.run(rack + scenes) { rig in
        // The session is busy, as while a rack is loaded.
        let session = rig.session
        try await session.inTurn {
          try await session.perform("set level.gain -5 dB")
          try await session.perform("scene far")
        }
        #expect(try await rig.text(of: "level.gain") == "-5 dB")
        #expect(try await rig.text(of: "echo.mix") == "60 %")
      }
    }

    @Test func aPeerIsNotSentWhatItHasSet() async throws {
      try await SessionRig.run(rack) { rig in
        let (one, other) = (Peer("one"), Peer("other"))
        var ofOne = rig.session.events(for: one).makeAsyncIterator()
        var ofOther = rig.session.events(for: other).makeAsyncIterator()
        try await rig.session.perform("set level.gain -4", from: one)
        let first = await ofOther.readings()?.first
        #expect(first?.value == -4)
        // A value other than the text's is reported.
        try await rig.session.perform("set level.gain -5 dB", from: one)
        let second = await ofOne.readings()
        #expect(second?.map(\.value) == [-5])
        #expect((first?.revision ?? .max) < (second?.first?.revision ?? 0))
      }
    }

    @Test func aTempoThatWasSetIsSaved() async throws {
      let folder = try TemporaryFolder()
      try await SessionRig.run(rack) { rig in
        _ = try await rig.engine.engine.setTempo("97.5")
        try await rig.perform("save \"\(folder.path("copy.yaml"))\"")
        let copy = try String(contentsOfFile: folder.path("copy.yaml"), encoding: .utf8)
        #expect(copy.contains("tempo: 97.5"), "\(copy)")
      }
    }

    @Test func parametersAreSetAndUndone() async throws {
      try await SessionRig.run(rack) { rig in
        let first = try await rig.state()
        try await rig.perform("set echo.mix 45%", "set echo.bypass on", "reset level.gain")
        #expect(try await rig.text(of: "echo.mix") == "45 %")
        #expect(try await rig.text(of: "echo.bypass") == "on")
        #expect(try await rig.text(of: "level.gain") == "0 dB")
        #expect(await rig.engine.engine.status().units.map(\.isBypassed) == [false, true])
        let last = try await rig.state()
        try await rig.perform("undo", "undo", "undo")
        #expect(try await rig.state() == first)
        try await rig.perform("redo", "redo", "redo")
        #expect(try await rig.state() == last)
        await #expect(throws: Refusal.self) { try await rig.perform("redo") }
      }
    }

    @Test(arguments: [
      ("set eco.mix 1", "did you mean “echo.mix”?"),
      ("set echo.mxi 1", "did you mean “echo.mix”?"),
      ("set ECHO.MIX 1", "did you mean “echo.mix”?"),
      ("set eco.wobble 1", "did you mean “echo”?"),
      ("set echo.mix 1 Hz", "“1 Hz” is a frequency"),
      ("set echo.mix 200 %", "above the most that “echo.mix” takes, 100 %"),
      ("set echo.bypass maybe", "“maybe” is not a value for “echo.bypass”"),
      ("set echo 1", "write UNIT.PARAMETER"),
      ("ramp echo.mix 1 % --over \"2 Hz\"", "“over” takes"),
      ("ramp echo.bypass on --over 2 s", "is on or off"),
      ("remove ech", "did you mean “echo”?"),
      ("preset echo Slapbak", "did you mean “Slapback”?"),
      ("undo", "nothing to undo"),
    ])
    func aRefusedCommandChangesNothing(command: String, reason: String) async throws {
      try await SessionRig.run(rack) { rig in
        let first = try await rig.state()
        let error = await #expect(throws: Refusal.self) { try await rig.perform(command) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing")")
        #expect(try await rig.state() == first)
      }
    }

    /// Without its units a rack would be written with the values of the last edit.
    @Test func whatWaitsWhenItEndsIsNotCarriedOut() async throws {
      let folder = try TemporaryFolder()
      let save = "save \(folder.path("copy.yaml"))"
      try await SessionRig.run(rack) { rig in
        let session = rig.session
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let (isBusy, begun) = AsyncStream.makeStream(of: Void.self)
        let busy = Task {
          try await session.inTurn {
            begun.finish()
            for await _ in gate {}
          }
        }
        for await _ in isBusy {}
        let saving = Task { try await session.perform(save) }
        let end = Task { await session.end() }
        try await eventually("it ends") { await session.hasEnded }
        opening.finish()
        try await busy.value
        await end.value
        await #expect(throws: Refusal.self) { try await saving.value }
        await #expect(throws: Refusal.self) {
          try await session.perform("set level.gain -9 dB")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("copy.yaml")))
      }
    }

    @Test func aRampTakesItsTimeAndASetEndsIt() async throws {
      try await SessionRig.run(rack) { rig in
        let changes = rig.session.events()
        try await rig.perform("ramp echo.time 300 ms --over 2 s")
        var seen: [Float] = []
        for await change in changes {
          seen += change.readings.filter { $0.parameter == "echo.time" }.map(\.value)
          if seen.last == 0.3 { break }
        }
        #expect(seen.count > 2 && seen == seen.sorted() && seen[0] > 0.09)
        try await rig.perform("ramp echo.time 800 ms --over 10 min", "set echo.time 200 ms")
        #expect(try await rig.text(of: "echo.time") == "200 ms")
        try await rig.perform("undo", "undo", "undo")
        #expect(try await rig.text(of: "echo.time") == "90 ms")
      }
    }

    /// A removed unit comes back as it was, and the units that stayed keep their present values.
    @Test func anUndoneEditBringsTheValuesBack() async throws {
      try await SessionRig.run(rack) { rig in
        try await rig.perform("set echo.mix 77 %", "set echo.bypass on", "remove echo")
        #expect(await rig.session.listing().connections == ["in -> level -> out"])
        let level = try #require(await rig.engine.engine.audioUnit(named: "level"))
        try level.setParameter(level.facts.parameter(atKeyPath: "gain")!.address, to: -7)
        try await rig.perform("undo")
        #expect(try await rig.text(of: "echo.mix") == "77 %")
        #expect(try await rig.text(of: "echo.bypass") == "on")
        #expect(try await rig.text(of: "level.gain") == "-7 dB")
        #expect(await rig.engine.engine.audioUnit(named: "level") === level)
      }
    }

    @Test func anotherRackComesAndGoes() async throws {
      try await SessionRig.run(rack) { rig in
        try await rig.perform("set echo.mix 77 %")
        let first = try await rig.state()
        try await rig.perform("load tape-echo")
        #expect(await rig.engine.engine.status().rack == "Tape echo")
        try await rig.perform("undo")
        #expect(try await rig.state() == first)
        await #expect(throws: Refusal.self) { try await rig.perform("load nowhere") }
      }
    }

    /// An echo that started under one name is heard under the other.
    @Test func aRenamedUnitKeepsItsSound() async throws {
      let late = rack.replacingOccurrences(of: "time: 90 ms", with: "time: 1 s")
        .replacingOccurrences(of: "mix: 30 %", with: "mix: 100 %, feedback: 0 %, level: 0 dB")
        .replacingOccurrences(of: "gain: -3 dB", with: "gain: 0 dB")
      try await SessionRig.run(late) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        let tone = Signals.sine(frequency: 100, amplitude: 0.5, frames: 96_000)
        let heard = try await probe.play([tone], frames: 96_000, after: 14_400) {
          [session = rig.session] in
          try await session.perform("rename echo tape")
        }.channels[0]
        #expect(firstDifference(heard[48_000...], tone[..<48_000]) == nil)
        #expect(try await rig.text(of: "tape.time") == "1 s")
        #expect(await rig.engine.engine.status().units.map(\.name) == ["level", "tape"])
      }
    }

    @Test func changesAreTold() async throws {
      try await SessionRig.run(rack) { rig in
        let changes = rig.session.events()
        try await rig.perform("set echo.mix 10 %", "set level.bypass on")
        var seen: [String: String] = [:]
        for await change in changes {
          for reading in change.readings { seen[reading.parameter] = reading.text }
          if seen.count == 2 { break }
        }
        #expect(seen == ["echo.mix": "10 %", "level.bypass": "on"])
        let edits = rig.session.events()
        try await rig.perform("rename echo tape")
        for await change in edits where change.rack == "Test" { break }
        let renamed = rig.session.events()
        try await rig.perform("set tape.mix 20 %")
        for await change in renamed where change.readings.map(\.parameter) == ["tape.mix"] { break }
      }
    }
  }
}
