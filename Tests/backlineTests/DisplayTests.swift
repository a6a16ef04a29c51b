import Testing

@testable import RackEngine
@testable import backline

/// The display of a running program.
struct DisplayTests {
  @Test func aBlockTallerThanTheTerminalIsCut() {
    var lines = (1...40).map { StatusLines.Line(text: "line \($0)", rank: .unit) }
    lines.append(.init(text: "Ctrl-C to stop"))
    let fitted = StatusLines.fitted(lines, height: 24).map(\.text)
    #expect(fitted.count == 23 && fitted.prefix(21) == lines.prefix(21).map(\.text)[...])
    #expect(fitted.suffix(2) == ["... 19 more", "Ctrl-C to stop"])
    #expect(StatusLines.fitted(lines, height: 42).count == 41)
    #expect(StatusLines.fitted(lines, height: 1).count == 3)
    // Lines of outputs are dropped last.
    lines.insert(.init(text: "out", rank: .output), at: 35)
    #expect(StatusLines.fitted(lines, height: 5).contains { $0.text == "out" })
  }

  /// The terminal has 50 columns, a rack with the longest name, and a bypassed unit whose name does not
  /// fit.
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
    var meters = StatusLines.Meters()
    let width = 50
    let lines = StatusLines.lines(status, &meters, width: width).map {
      $0.drawn(width: width - 1)
    }
    #expect(lines.contains("load 12.3 %   xruns 107 (longest: echo, 1.4 %)"))
    #expect(lines.contains("97.5 bpm   transport rolls at 1:30   song Opener"))
    #expect(lines.contains("gig.wav ended at 1.2 s: No space left on device"))
    let output = try #require(lines.first { $0.hasPrefix("out  main_1 ") })
    #expect(output.hasSuffix("-6.0 dB"))
    let unit = try #require(lines.first { $0.hasPrefix("unit n") })
    #expect(unit.contains("…nnn") && unit.contains("0.0 dB"))
  }

  @Test func aClipStaysMarkedAndMetersFallWithoutTheServer() throws {
    var status = EngineSnapshot(rack: "R", clientName: "R", sampleRate: 48_000, bufferSize: 64)
    status.outputs = [.init(name: "main_1", peak: 1.5)]
    var meters = StatusLines.Meters()
    func output() throws -> String {
      try #require(
        StatusLines.lines(status, &meters, width: 40).first { $0.text.hasPrefix("out") }
      ).drawn(width: 39)
    }
    #expect(try output().hasSuffix("3.5 dB clips"))
    status.outputs[0].peak = 0.5
    for _ in 0..<40 { #expect(try output().hasSuffix("dB clips")) }
    for _ in 0..<40 { _ = try output() }
    #expect(try output().hasSuffix(" -6.0 dB"))
    // The last values stay in the snapshot.
    status.serverIsAway = true
    for _ in 0..<100 { _ = try output() }
    #expect(try output().hasSuffix(" -inf dB"))
  }
}
