import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

@Suite struct FilesInOrderTests {
  @Test func namesSortAsPeopleCount() {
    let names = ["amp 10.nam", "Amp 2.nam", "amp 02b.nam", "amp.nam", "Bass.nam", "amp 1.nam"]
    #expect(
      names.sorted { comesBefore($0, $1) }
        == ["amp 1.nam", "Amp 2.nam", "amp 02b.nam", "amp 10.nam", "amp.nam", "Bass.nam"])
    #expect(comesBefore("A1.nam", "a1.nam") != comesBefore("a1.nam", "A1.nam"))
  }

  @Test func othersAreOfTheSameKindAndWrap() throws {
    let folder = try TemporaryFolder()
    for name in ["1.WAV", "2.flac", "3.nam", "10.wav", ".4.wav", "notes.txt"] {
      _ = try folder.write(name, bytes: [])
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("5.wav"), withIntermediateDirectories: true)
    let file = UnitFile(
      unit: "room", property: "file", path: folder.path("2.flac"), text: "rooms/2.flac")
    #expect(file.others(isNext: true) == ["10.wav", "1.WAV"])
    #expect(file.others(isNext: false) == ["1.WAV", "10.wav"])
    #expect(file.written("10.wav") == "rooms/10.wav")
  }
}

extension JackTests {
  /// The files of a unit's folder, one after another, by command and by pedal.
  @Suite(.serialized) struct NextFile {
    private let folder: TemporaryFolder
    private let rack: String

    init() throws {
      folder = try TemporaryFolder()
      for (name, gain) in [("2", 0.5), ("10", 0.25)] {
        _ = try SoundFile(sampleRate: 48_000, channels: [[Float(gain)]])
          .write(folder.path("\(name).wav"))
      }
      _ = try folder.write("1 broken.wav", bytes: Array("no sound".utf8))
      rack = """
        rack: Test
        inputs: { in: { channels: 2 }, feet: { midi: true } }
        outputs: { out: { channels: 2 } }
        units:
          room:
            unit: aufx/conv/bkln
            parameters: { mix: 100 %, normalise: Off }
            properties: { file: "\(folder.path("2.wav"))" }
          level: { unit: aufx/gain/bkln }
          cab: { unit: aufx/cabn/bkln }
        connections: [ in -> room -> level -> cab -> out ]
        controls: [ { from: feet cc 1, to: next file room } ]
        """
    }

    private func file(_ rig: SessionRig) async -> String? {
      await rig.session.rack.file.units[0].properties.first?.value.value
    }

    /// A knob that was moved after a file was changed stays where it is when the change is undone.
    @Test func undoOfAFileKeepsWhatWasMovedSince() async throws {
      try await SessionRig.run(rack) { rig in
        try await rig.perform("next-file room")
        let unit = try #require(await rig.session.unit(named: "room"))
        let mix = try #require(unit.facts.parameter(atKeyPath: "mix", inputBusCount: 1)?.address)
        // As a MIDI control does it, which is no step to undo.
        try unit.setParameter(mix, to: 35)
        try await rig.perform("undo")
        #expect(await file(rig) == folder.path("2.wav"))
        #expect(try await rig.text(of: "room.mix") == "35 %")
      }
    }

    @Test func commandsGoOnAndBack() async throws {
      try await SessionRig.run(rack) { rig in
        let next = "next-file room"
        try await rig.perform("set room.mix 80 %")
        #expect(try await rig.session.perform(next).text == "room plays 10.wav")
        #expect(await file(rig) == folder.path("10.wav"))
        #expect(try await rig.text(of: "room.mix") == "80 %")
        let answer = try #require(try await rig.session.perform(next).text)
        #expect(answer.hasPrefix("room plays 2.wav; “1 broken.wav” is passed by: "))
        try await rig.perform("previous-file room.file")
        #expect(await file(rig) == folder.path("10.wav"))
        try await rig.perform("undo", "undo")
        #expect(await file(rig) == folder.path("10.wav"))
        try await rig.perform("undo")
        #expect(await file(rig) == folder.path("2.wav"))
      }
    }

    @Test func aPedalGoesOn() async throws {
      try await SessionRig.run(rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        _ = try await probe.play(
          [Signals.constant(1, frames: 480), Signals.constant(1, frames: 480)], frames: 480,
          messages: [.init([0xB0, 1, 127], at: 0)])
        try await eventually("the next file plays") { await file(rig) == folder.path("10.wav") }
      }
    }

    @Test func whatHasNoFileIsRefused() async throws {
      try await SessionRig.run(rack) { rig in
        for target in ["level", "cab", "cab.a", "cab.c", "rom", "room.mix"] {
          await #expect(throws: Refusal.self) {
            try await rig.perform("next-file \"\(target)\"")
          }
        }
        for name in ["2.wav", "10.wav"] {
          try FileManager.default.removeItem(atPath: folder.path(name))
        }
        let before = try await rig.state()
        await #expect(throws: Refusal.self) {
          try await rig.perform("next-file room")
        }
        #expect(try await rig.state() == before)
      }
    }

    @Test func controlsFollowTheirUnit() async throws {
      try await SessionRig.run(rack) { rig in
        try await rig.perform("rename room hall")
        #expect(
          await rig.session.rack.file.controls.map { $0.target?.value } == ["next file hall"])
        try await rig.perform("remove hall")
        #expect(await rig.session.rack.file.controls.isEmpty)
      }
    }
  }
}
