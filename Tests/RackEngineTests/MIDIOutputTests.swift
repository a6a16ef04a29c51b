import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine

/// A keyboard through a transposer into a synth, and out again.
private let rack = """
  rack: Through
  inputs: { keys: { midi: true } }
  outputs: { main: { channels: 1 }, thru: { midi: true } }
  units:
    up: { unit: aumi/trns/bkln, parameters: { semitones: 7 } }
    synth: { unit: aumu/sine/bkln, channels: 1 }
  connections:
    - keys -> up -> synth -> main
    - up -> thru
  """

private func played(_ count: Int) -> [JackProbe.Message] {
  (0..<count).flatMap { place -> [JackProbe.Message] in
    let note = UInt8(40 + place % 40)
    return [
      .init([0x90, note, 100], at: 13 + 331 * place),
      .init([0xE0, 0, UInt8(place % 128)], at: 13 + 331 * place),
      .init([0x80, note, 5], at: 200 + 331 * place),
    ]
  }
}

private func transposed(_ messages: [JackProbe.Message]) -> [JackProbe.Message] {
  messages.map { message in
    let isNote = message.bytes[0] < 0xA0
    let bytes = isNote ? [message.bytes[0], message.bytes[1] + 7, message.bytes[2]] : message.bytes
    return .init(bytes, at: message.frame)
  }
}

extension JackTests {
  @Suite(.serialized) struct JackMIDIOutputTests {
    @Test(arguments: [64, 1024])
    func messagesComeOutAtTheFrameAtWhichTheyCameIn(period: Int) async throws {
      let plan = try TestRacks.plan(rack)
      try await EngineRig.run(plan, period: period) { rig in
        let probe = try rig.probe(plan)
        let messages = played(100)
        let recording = try await probe.play([], frames: 40_000, messages: messages)
        #expect(firstDifference(recording.messages, transposed(messages)) == nil)
        #expect(recording.channels[0].contains { $0.magnitude > 0.05 })
        #expect(
          probe.properties("\(rig.client):thru")["http://jackaudio.org/metadata/pretty-name"]
            == "thru")
      }
    }

    @Test func aRackThatGoesEndsItsNotes() async throws {
      let plan = try TestRacks.plan(rack)
      let server = try JackTestServer(period: 256)
      defer { server.stop() }
      let engine = try await Engine.start(
        plan, catalogue: TestRacks.catalogue, server: .join, options: .init(name: server.name))
      let probe = try JackProbe(server: server.name, outputs: 0, midi: 1, inputs: 0, midiInputs: 1)
      try probe.connect("injector:midi_1", "\(engine.clientName):keys")
      try probe.connect("\(engine.clientName):thru", "capturer:midi_1")
      let recording = try await probe.play(
        [], frames: 48_000, messages: [.init([0x90, 60, 100], at: 100)], after: 14_400
      ) { await engine.stop() }
      #expect(recording.messages.map(\.bytes) == [[0x90, 67, 100], [0x80, 67, 64]])
    }

    @Test func anEditThatTakesTheProcessorOutEndsItsNotes() async throws {
      let plan = try TestRacks.plan(rack)
      let without = try TestRacks.plan(
        rack.replacing("keys -> up -> synth", with: "keys -> synth").replacing(
          "- up -> thru", with: "- keys -> thru"
        ).replacing("  up: { unit: aumi/trns/bkln, parameters: { semitones: 7 } }", with: ""))
      try await EngineRig.run(plan, period: 256) { rig in
        let probe = try rig.probe(plan)
        let engine = rig.engine
        let recording = try await probe.play(
          [], frames: 60_000,
          messages: [.init([0x90, 60, 100], at: 100), .init([0x80, 60, 0], at: 59_000)],
          after: 14_400
        ) { try await engine.replace(with: without) }
        #expect(
          recording.messages.map(\.bytes) == [[0x90, 67, 100], [0x80, 67, 64], [0x80, 60, 0]])
        #expect(recording.channels[0].suffix(1000).allSatisfy { $0.magnitude < 1e-4 })
      }
    }
  }
}

@Suite struct OfflineMIDITests {
  private func messages(_ played: [JackProbe.Message]) -> [OfflineJob.Message] {
    played.map { .init(port: 0, time: Double($0.frame) / 48_000, bytes: $0.bytes) }
  }

  @Test(arguments: [17, 64, 512, 20_000])
  func aMIDIFileHasWhatAMIDIOutputSent(block: Int) throws {
    let played = played(100)
    let rendered = try OfflineRendering(try TestRacks.plan(rack)) { job in
      job.messages = messages(played)
      job.blockFrames = block
    }
    #expect(firstDifference(rendered.midi["thru"] ?? [], transposed(played)) == nil)
  }

  @Test func theFileEndsNotesThatAreStillHeld() throws {
    let rendered = try OfflineRendering(try TestRacks.plan(rack)) { job in
      job.messages = messages([.init([0x90, 60, 100], at: 100)])
      job.length = 1
    }
    #expect(
      rendered.midi["thru"] == [
        .init([0x90, 67, 100], at: 100), .init([0x80, 67, 64], at: 48_000),
      ])
  }

  @Test func anArpeggioOutlastsItsKeysAndRepeats() throws {
    let plan = try TestRacks.plan(shipped: "arpeggio")
    let keys = messages([
      .init([0x90, 60, 100], at: 0), .init([0x90, 64, 100], at: 0), .init([0x90, 67, 100], at: 0),
      .init([0x80, 60, 0], at: 100_000), .init([0x80, 64, 0], at: 100_000),
      .init([0x80, 67, 0], at: 100_000),
    ])
    let renderings = try [64, 4096].map { block in
      try OfflineRendering(plan) { job in
        job.messages = keys
        job.blockFrames = block
      }
    }
    let thru = renderings[0].midi["thru"] ?? []
    #expect(thru.count { $0.bytes[0] == 0x90 } >= 15)
    #expect(thru.count { $0.bytes[0] == 0x90 } == thru.count { $0.bytes[0] == 0x80 })
    #expect(firstDifference(thru, renderings[1].midi["thru"] ?? []) == nil)
    let main = renderings.map { $0.outputs["main"] ?? [] }
    #expect(firstDifference(main[0], main[1]) == nil)
  }
}
