import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Audio that modulates parameters, in a rack that plays.
  @Suite(.serialized) struct LiveModulations {
    private static let rack = """
      rack: Moved
      outputs: { out: { channels: 1 } }
      units:
        one: { unit: Player, channels: 1, properties: { file: FILE } }
        macro: { unit: Macro, parameters: { value: 50 % } }
        level: { unit: Gain, parameters: { gain: -20 dB } }
      connections: [ one -> level -> out ]
      modulations:
        - { from: macro, to: level.gain, depth: 10 % }
      """

    /// The gain's travel is 120 dB; the player plays a constant 1.
    @Test func modulationsAreEditedWhileTheyPlay() async throws {
      let folder = try TemporaryFolder()
      let ones = [Signals.constant(1, frames: 48_000)]
      let file = try SoundFile(sampleRate: 48_000, channels: ones).write(folder.path("one.wav"))
      let rack = try folder.write(
        "moved.yaml", bytes: Array(Self.rack.replacing("FILE", with: file).utf8))
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        try rig.probe.connect("Moved:out", "capturer:in_1")
        func expect(_ decibels: Double, _ line: Int = #line) async throws {
          let heard = try await rig.probe.play(
            [Signals.constant(0, frames: 24_000)], frames: 24_000)
          let level = 20 * log10(Double(heard.channels[0].last ?? 0))
          #expect(abs(level - decibels) < 0.02, "line \(line): \(level)")
        }
        func ctl(_ words: String...) throws -> String {
          let program = try Program(["ctl", "--rack", "Moved"] + words)
          #expect(program.waitForEnd() == 0, "\(words): \(program.errors)")
          return program.output
        }
        try await expect(-14)
        _ = try ctl("set", "macro.value", "100", "%")
        try await expect(-8)
        // The knob's value is the middle of the modulation.
        #expect(try ctl("get", "level.gain") == "-20 dB\n")
        #expect(try ctl("get", "level").contains("-20 dB  moved by macro, 10 %\n"))
        _ = try ctl("set", "level.gain", "-26", "dB")
        try await expect(-14)
        _ = try ctl("modulate", "macro", "level.gain", "-20 %")
        try await expect(-50)
        _ = try ctl("unmodulate", "level.gain")
        try await expect(-26)
        _ = try ctl("undo")
        _ = try ctl("undo")
        try await expect(-14)
        _ = try ctl("rename", "macro", "foot")
        _ = try ctl("save")
        let text = try String(contentsOfFile: rack, encoding: .utf8)
        #expect(text.contains("{ from: foot, to: level.gain, depth: 10 % }"), "\(text)")
        try await expect(-14)
        _ = try ctl("remove", "foot")
        try await expect(-26)
      }
    }
  }
}
