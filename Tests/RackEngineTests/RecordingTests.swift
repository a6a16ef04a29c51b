import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import SoundFiles
import Testing

@testable import RackEngine

/// The path of a recording's next file, and the sources that the recording misses after an edit.
struct RecordingNameTests {
  @Test func theNextFileHasANumberOfItsOwn() throws {
    let folder = try TemporaryFolder()
    func next(_ name: String, _ times: Int = 1) -> String {
      let first = RecordingRequest(path: folder.path(name))
      return String(
        (0..<times).reduce(first) { request, _ in request.next() }.path
          .dropFirst(folder.path("").count + 1))
    }
    #expect(next("take.wav") == "take-2.wav" && next("take.wav", 3) == "take-4.wav")
    #expect(next("gig-2026-11-22.wav") == "gig-2026-11-22-2.wav")
    #expect(next("a-9223372036854775807.wav") == "a-9223372036854775807-2.wav")
    #expect(next("v1.0/take") == "v1.0/take-2")
    _ = try folder.write("take-2.wav", bytes: [])
    #expect(next("take.wav") == "take-3.wav")
  }

  @Test func whatComesNarrowerIsMissed() throws {
    func plan(_ channels: Int, unit: String = "level") throws -> Plan {
      try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: \(channels) } }
        outputs: { out: { channels: \(channels) } }
        units: { \(unit): { unit: aufx/gain/bkln } }
        connections: [ in -> \(unit) -> out ]
        """)
    }
    let folder = try TemporaryFolder()
    let stereo = try plan(2)
    let channels = try stereo.recordedChannels(
      of: ["in", "out_1", "level"])
    let recording = try Recording(
      RecordingRequest(path: folder.path("a.wav")), of: channels, sampleRate: 48_000)
    defer { recording.discard() }
    #expect(recording.missingSources(in: stereo).isEmpty)
    #expect(recording.missingSources(in: try plan(1)) == [.narrower("in"), .narrower("level")])
    #expect(
      recording.missingSources(in: try plan(1, unit: "other")) == [.narrower("in"), .gone("level")])
  }
}

extension JackTests {
  /// Recording into sound files, while a rack plays and is changed.
  @Suite(.serialized) struct RecordingIntoFiles {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func plan(_ connections: String...) throws -> Plan {
      try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 }, other: { channels: 1 } }
        units:
          level: { unit: aufx/gain/bkln, parameters: { gain: -6 dB } }
          tone: { unit: Low-Pass Filter }
        connections: [ \(connections.joined(separator: ", ")) ]
        """)
    }

    /// Returns the index of a sound within a longer sound.
    private func place(of sound: [Float], in whole: [Float]) -> Int? {
      let head = Array(sound.prefix(64))
      return (0...max(0, whole.count - sound.count)).first { start in
        whole[start] == head[0] && Array(whole[start..<start + 64]) == head
      }
    }

    /// Expects the file to contain the input and output of the probe, bit for bit.
    private func expect(
      _ played: [Float], _ heard: [[Float]], in file: [[Float]]
    ) throws {
      let start = try #require(place(of: played, in: file[0]))
      #expect(firstDifference([Array(file[0][start..<start + played.count])], [played]) == nil)
      for (channel, sound) in heard.enumerated() {
        #expect(
          firstDifference([Array(file[channel + 1][start..<start + sound.count])], [sound]) == nil)
      }
    }

    @Test func whatJackGotIsInTheFileOverEditsAndBuffers() async throws {
      let first = try plan("in -> level -> out", "in -> other")
      let second = try plan("in -> tone -> level -> out", "level -> other")
      let path = folder.path("take.wav")
      try await EngineRig.run(first, period: 256) { rig in
        let probe = try rig.probe(first)
        let frames = 48_000
        let (one, two) = (
          Signals.noise(frames: frames, seed: 1), Signals.noise(frames: frames, seed: 2)
        )
        // The initial gains ramp for a moment.
        _ = try await probe.play([Signals.constant(0, frames: 4800)], frames: 4800)
        _ = try await rig.engine.startRecording(
          RecordingRequest(path: path, sources: ["in", "out", "other", "level"]))
        let heard = try await probe.play([one], frames: frames, after: 9600) {
          [engine = rig.engine] in
          try await engine.replace(with: second)
          try await engine.replace(with: first)
        }.channels
        rig.server.run("jack_bufsize", "64")
        try await eventually("the buffer is another") {
          await rig.engine.status().bufferSize == 64
        }
        let heardLater = try await probe.play([two], frames: frames).channels
        let status = try #require(await rig.engine.status().recording)
        #expect(status.channels == 4 && status.dropOuts == 0 && status.length > 2)
        _ = try await rig.engine.stopRecording()
        #expect(await rig.engine.status().recording == nil)
        let file = try SoundFile(reading: path)
        #expect(file.sampleRate == 48_000)
        try expect(one, heard, in: file.channels)
        try expect(two, heardLater, in: file.channels)
        // Here the unit's own output is the rack's output.
        #expect(
          firstDifference([file.channels[3].suffix(frames)], [file.channels[1].suffix(frames)])
            == nil)
        await #expect(throws: Refusal.self) { try await rig.engine.stopRecording() }
        // A recording replaces no file.
        await #expect(throws: SoundFileError.self) {
          try await rig.engine.startRecording(RecordingRequest(path: path))
        }
        await #expect(throws: Refusal("nothing in this rack is called “leel”", suggestion: "level"))
        {
          try await rig.engine.startRecording(
            RecordingRequest(path: folder.path("b.wav"), sources: ["leel"]))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("b.wav")))
      }
    }

    @Test func aServersEndEndsTheFileAndTheNextGoesOn() async throws {
      let plan = try plan("in -> level -> out")
      try await EngineRig.run(plan) { rig in
        _ = try await rig.engine.startRecording(RecordingRequest(path: folder.path("take.flac")))
        try await eventually("there is something in it") {
          await rig.engine.status().recording?.length ?? 0 > 0.5
        }
        try await rig.changeServers(rate: 44_100)
        try await eventually("it goes on") {
          await rig.engine.status().recording?.length ?? 0 > 0.5
        }
        let next = try #require(await rig.engine.status().recording)
        #expect(next.file == folder.path("take-2.flac"))
        #expect(await rig.engine.status().lastRecording?.file == folder.path("take.flac"))
        #expect(
          await rig.log.contains {
            $0 == .recordingStarted(file: next.file, channels: 2, isResumed: true)
          })
        await rig.engine.stop()
        for (name, rate) in [("take.flac", 48_000), ("take-2.flac", 44_100)] {
          let file = try SoundFile(reading: folder.path(name))
          #expect(file.sampleRate == rate && file.channels.count == 2)
          #expect(file.channels[0].count > rate / 2)
        }
      }
    }

    @Test(
      .enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func aFullDiskEndsTheFileAndNothingElse() async throws {
      let disk = try SmallDisk(bytes: 131_072)
      let plan = try plan("in -> level -> out")
      try await EngineRig.run(plan) { rig in
        let path = disk.folder.path("take.wav")
        _ = try await rig.engine.startRecording(RecordingRequest(path: path, sources: ["in"]))
        try await eventually("it has ended") {
          await rig.engine.status().lastRecording != nil
        }
        #expect(await rig.engine.status().recording == nil)
        let last = try #require(await rig.engine.status().lastRecording)
        #expect(last.file == path && last.reason == "No space left on device")
        try await eventually("it is told") {
          await rig.log.contains { $0 == .recordingEnded(last) }
        }
        let file = try SoundFile(reading: path)
        #expect(file.channels[0].count > 24_000)
        #expect(abs(last.length * 48_000 - Double(file.channels[0].count)) < 1)
        await #expect(throws: Refusal("nothing is being recorded; \(last)")) {
          try await rig.engine.stopRecording()
        }
        let probe = try rig.probe(plan)
        let heard = try await probe.play([Signals.constant(0.5, frames: 9600)], frames: 9600)
        #expect(heard.channels[0].suffix(100).contains { $0 > 0.2 })
      }
    }
  }
}
