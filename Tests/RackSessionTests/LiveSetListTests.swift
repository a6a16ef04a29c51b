import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// A show, song by song.
  @Suite(.serialized) struct LiveSetList {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = try folder.write(
        "evening.yaml",
        bytes: Array(
          """
          setlist: Evening
          programs: { input: feet, channel: 2 }
          songs:
            Soft: { rack: one.yaml, program: 1 }
            Loud: { rack: one.yaml, scene: loud, program: 2 }
            Wrong: { rack: none.yaml, program: 3 }
            Other: { rack: two.yaml, program: 4, bank: 1 }
          """.utf8))
      try write("one", gain: -20)
      try write("two", gain: -9)
    }

    private func write(_ name: String, gain: Int) throws {
      _ = try folder.write(
        "\(name).yaml",
        bytes: Array(
          """
          rack: \(name)
          inputs: { in: { channels: 1 }, feet: { midi: true } }
          outputs: { out: { channels: 1 } }
          units: { \(name): { unit: aufx/gain/bkln, parameters: { gain: \(gain) dB } } }
          connections: [ in -> \(name) -> out ]
          controls: [ { from: feet program 1, to: scene loud }, { from: feet cc 1, to: next song } ]
          scenes: { loud: { \(name).gain: -6 dB } }
          """.utf8))
    }

    private func song(_ rig: SessionRig) async -> String? { await rig.session.listing().song }

    @Test func aPedalGoesOnToTheNextSong() async throws {
      try await SessionRig.run(setList: path) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        #expect(await song(rig) == "Soft")
        _ = try await probe.play(
          [Signals.constant(1, frames: 480)], frames: 480, messages: [.init([0xB0, 1, 127], at: 0)])
        try await eventually("the next song plays") { await song(rig) == "Loud" }
      }
    }

    @Test func itGoesOnAndBackAndPastWhatCannotBePlayed() async throws {
      try write("guest", gain: 0)
      let other = folder.path("guest.yaml")
      try await SessionRig.run(setList: path) { rig in
        #expect(await rig.session.listing().songs == ["Soft", "Loud", "Wrong", "Other"])
        #expect(try await rig.text(of: "one.gain") == "-20 dB")
        try await rig.perform("set one.gain -3 dB", "next")
        #expect(try await rig.text(of: "one.gain") == "-6 dB")
        await #expect(throws: Refusal.self) { try await rig.perform("next") }
        // The song that plays and the refused song, from which the show continues, are separate.
        #expect(await song(rig) == "Loud")
        #expect(await rig.session.listing().refusedSong == "Wrong")
        #expect(await rig.session.status().song == "Loud")
        #expect(try await rig.text(of: "one.gain") == "-6 dB")
        try await eventually("the last is made ready") {
          await rig.engine.engine.preparedNames == ["two"]
        }
        let unit = await rig.engine.engine.prepared(0)
        try await rig.perform("next")
        #expect(await rig.engine.engine.audioUnit(named: "two") === unit)
        #expect(try await rig.text(of: "two.gain") == "-9 dB")
        await #expect(throws: Refusal.self) { try await rig.perform("next") }
        #expect(await rig.session.listing().refusedSong == nil)
        try await rig.perform("undo")
        #expect(await song(rig) == "Loud")
        try await rig.perform("undo")
        #expect(await song(rig) == "Soft")
        #expect(try await rig.text(of: "one.gain") == "-3 dB")
        try await rig.perform("redo")
        #expect(await song(rig) == "Loud")
        try await rig.perform("song 4", "song Soft")
        #expect(try await rig.text(of: "one.gain") == "-20 dB")
        await #expect(throws: Refusal.self) { try await rig.perform("previous") }
        await #expect(throws: Refusal.self) { try await rig.perform("song Sfot") }
        // The rack is not one of the set list's.
        try await rig.perform("load \"\(other)\"")
        #expect(await song(rig) == nil)
        try await rig.perform("undo")
        #expect(await song(rig) == "Soft")
      }
    }

    @Test func programsChooseSongsAndOthersAreTheRacks() async throws {
      try await SessionRig.run(setList: path) { rig in
        let plan = await rig.session.adaptedToSetList(rig.session.rack.plan)
        #expect(plan.midiInputs.map(\.name) == ["feet"])
        let probe = try rig.engine.probe(plan)
        func send(_ messages: [UInt8]...) async throws {
          _ = try await probe.play(
            [Signals.constant(0, frames: 4800)], frames: 4800,
            messages: messages.enumerated().map { .init($0.element, at: 100 + $0.offset) })
        }
        try await send([0xC0, 0])
        try await eventually("a program on another channel is the rack's") {
          (try? await rig.text(of: "one.gain")) == "-6 dB"
        }
        #expect(await song(rig) == "Soft")
        try await send([0xC1, 3], [0xB1, 0, 1], [0xC1, 3])
        try await eventually("that of the bank is chosen") { await song(rig) == "Other" }
        try await send([0xC1, 2])
        try await eventually("what cannot be played is told") {
          await rig.engine.log.contains {
            if case .warning(let text) = $0 { return text.contains("“Wrong” cannot be played") }
            return false
          }
        }
        try await send([0xC1, 0])
        try await eventually("the first plays as it is written") {
          let gain = try? await rig.text(of: "one.gain")
          return await song(rig) == "Soft" && gain == "-20 dB"
        }
      }
    }

    /// One controller is connected to both inputs.
    @Test func whatComesToTheListAloneIsNotLearned() async throws {
      let show = try folder.write(
        "show.yaml",
        bytes: Array("setlist: S\nsongs: { Soft: { rack: one.yaml, program: 1 } }".utf8))
      try await SessionRig.run(setList: show) { rig in
        let plan = await rig.session.adaptedToSetList(rig.session.rack.plan)
        #expect(plan.midiInputs.map(\.name) == ["songs", "feet"])
        let probe = try rig.engine.probe(plan)
        try probe.connect("injector:midi_1", "\(rig.engine.client):feet")
        var changes = rig.session.events().makeAsyncIterator()
        try await rig.perform("learn one.gain")
        _ = try await probe.play(
          [Signals.constant(0, frames: 4800)], frames: 4800,
          messages: [.init([0xB0, 7, 1], at: 100), .init([0xB0, 7, 90], at: 2000)])
        #expect(await changes.learned()?.done == "one.gain follows feet cc 7 channel 1")
      }
    }

    private func text(of name: String) throws -> String {
      try String(contentsOfFile: folder.path("\(name).yaml"), encoding: .utf8)
    }

    /// Several songs use one file, and one of them starts in a scene.
    @Test func whatIsChangedInASongIsWrittenBackAndPlayedInTheNext() async throws {
      let text = try text(of: "one")
      try await SessionRig.run(setList: path) { rig in
        await rig.session.writeBack()
        // Playing them changes nothing.
        try await rig.perform("next", "previous", "next")
        #expect(try self.text(of: "one") == text)
        // Changes within a scene are written, except the values that the scene has set.
        try await rig.perform("set one.bypass on", "previous")
        let bypassed = text.replacing("gain: -20 dB }", with: "gain: -20 dB }, bypass: true")
        #expect(try self.text(of: "one") == bypassed)
        #expect(try await rig.text(of: "one.bypass") == "on")
        // A song plays the changes made in the song before, and keeps them.
        try await rig.perform("set one.gain -11 dB")
        try await rig.perform("next", "set one.bypass off", "previous")
        #expect(try self.text(of: "one").contains("gain: -11 dB }"))
        #expect(try await rig.text(of: "one.gain") == "-11 dB")
        try await rig.perform("undo")
        #expect(try await rig.text(of: "one.gain") == "-6 dB")
        try await rig.perform("set one.gain -3 dB", "save")
        #expect(try self.text(of: "one").contains("gain: -3 dB }"))
        try await rig.perform("undo", "save")
        #expect(try self.text(of: "one").contains("gain: -11 dB }"))
      }
    }

    /// One file is loaded by another of its names.
    @Test func aFileThatIsLoadedAgainIsSavedFirst() async throws {
      try await SessionRig.run(setList: path) { rig in
        await rig.session.writeBack()
        try FileManager.default.createSymbolicLink(
          atPath: folder.path("link.yaml"), withDestinationPath: folder.path("one.yaml"))
        try await rig.perform("set one.gain -11 dB", "load \"\(folder.path("link.yaml"))\"")
        #expect(try await rig.text(of: "one.gain") == "-11 dB")
        try await rig.perform("set one.gain -12 dB", "save")
        #expect(try self.text(of: "one").contains("gain: -12 dB }"))
        try await rig.perform("undo", "undo", "save")
        #expect(try self.text(of: "one").contains("gain: -11 dB }"))
      }
    }

    @Test func filesThatAreSavedAreFollowed() async throws {
      try await SessionRig.run(setList: path) { rig in
        try write("one", gain: -14)
        try write("two", gain: -15)
        try write("none", gain: -16)
        try await rig.session.follow(try SessionRig.setList(path))
        #expect(try await rig.text(of: "one.gain") == "-14 dB")
        _ = try folder.write("two.yaml", bytes: Array("rack: [".utf8))
        _ = try folder.write(
          "evening.yaml",
          bytes: Array(
            "setlist: E\nsongs: { Other: { rack: two.yaml }, Soft: { rack: one.yaml } }".utf8))
        try await rig.session.follow(try SessionRig.setList(path))
        #expect(await song(rig) == "Soft")
        try await rig.perform("previous")
        #expect(try await rig.text(of: "two.gain") == "-15 dB")
      }
    }
  }
}

extension Engine {
  fileprivate var preparedNames: [String] { unitMaker.prepared.map(\.name) }

  fileprivate func prepared(_ place: Int) -> AudioUnit? {
    unitMaker.prepared.indices.contains(place) ? unitMaker.prepared[place].audioUnit : nil
  }
}
