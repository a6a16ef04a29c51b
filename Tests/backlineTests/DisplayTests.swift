import Testing

@testable import RackEngine
@testable import backline

/// What the program shows while it plays.
struct DisplayTests {
  @Test func aBlockTallerThanTheTerminalIsCut() {
    let lines = (1...40).map { "line \($0)" } + ["Ctrl-C to stop"]
    let fitted = StatusDisplay.fitted(lines, height: 24)
    #expect(fitted.count == 23 && fitted.prefix(21) == lines.prefix(21))
    #expect(fitted.suffix(2) == ["... 19 more", "Ctrl-C to stop"])
    #expect(StatusDisplay.fitted(lines, height: 42) == lines)
    #expect(StatusDisplay.fitted(lines, height: 1).count == 3)
  }

  /// 50 columns, a rack's longest name, a bypassed unit with more letters than fit.
  @Test func whatMattersFitsANarrowTerminal() throws {
    let name = String(repeating: "n", count: 63)
    var status = EngineSnapshot(rack: name, clientName: name, sampleRate: 48_000, bufferSize: 64)
    status.outputs = [.init(name: "main_1", peak: 0.5)]
    status.units = [.init(name: name, isBypassed: true, mean: 2400, maximum: 3500, peak: 1)]
    (status.load, status.xruns) = (12.3, 107)
    status.lastXrun = LateCycle(
      nanoseconds: 30_000, share: 0.0225,
      units: [.init(name: "echo", nanoseconds: 19_000, share: 0.0143)], late: [])
    status.tempo = 97.5
    status.transport = .init(isRolling: true, seconds: 90.7)
    status.song = "Opener"
    status.lastRecording = .init(
      file: "gig.wav", length: 1.23, dropOuts: 0, reason: "No space left on device")
    var held: [String: Float] = [:]
    let width = 50
    let lines = StatusDisplay.lines(status, &held, width: width).map {
      String($0.prefix(width - 1))
    }
    #expect(lines.contains("load 12.3 %   xruns 107 (longest: echo, 1.4 %)"))
    #expect(lines.contains("97.5 bpm   transport rolls at 1:30   song Opener"))
    #expect(lines.contains("gig.wav ended at 1.2 s: No space left on device"))
    let output = try #require(lines.first { $0.hasPrefix("out  main_1 ") })
    #expect(output.hasSuffix("-6.0 dB"))
    let unit = try #require(lines.first { $0.hasPrefix("unit n") })
    #expect(unit.contains("…") && unit.contains("0.0 dB"))
  }
}
