import BacklineTestSupport
import Foundation
import Testing

/// backline render with many files, and with offline effects.
struct RenderBatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func sound(
    _ name: String, frames: Int = 24_000, channels: Int = 1, amplitude: Double = 0.3
  ) throws -> String {
    try SoundFile.sine(440, frames: frames, amplitude: amplitude, channels: channels)
      .write(folder.path(name))
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
  }

  @Test func everyFileIsRenderedAsAlone() throws {
    for (name, frames) in [("one.wav", 4800), ("two.wav", 9600), ("three.flac", 7200)] {
      try sound(name, frames: frames)
    }
    let result = try Program.run(
      "render", "dalek-voice", "--in", "mic=\(folder.path("t*.*"))", "--in",
      "mic=\(folder.path("one.wav"))", "--out-dir", folder.path("new/daleks"))
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(try names(in: "new/daleks") == ["one.wav", "three.flac", "two.wav"])
    #expect(result.output.split(separator: "\n").count == 3)
    let alone = folder.path("alone.wav")
    _ = try Program.run(
      "render", "dalek-voice", "--in", "mic=\(folder.path("two.wav"))", "--out", "main=\(alone)")
    let files = try [alone, folder.path("new/daleks/two.wav")].map { try SoundFile(reading: $0) }
    #expect(firstDifference(files[0].channels, files[1].channels) == nil)
  }

  @Test func unitsKeepTheWidthOfEachFile() throws {
    let files = [
      try sound("mono.wav", channels: 1), try sound("stereo.wav", channels: 2, amplitude: 0.05),
    ]
    let result = try Program.run(
      "render", "--unit", "Normalise", "--set", "by=Peak", "--set", "peak=-6 dB", "--out-dir",
      folder.path("out"), files[0], files[1])
    #expect(result.status == 0, "\(result.errors)")
    for (name, width) in [("mono", 1), ("stereo", 2)] {
      let file = try SoundFile(reading: folder.path("out/\(name).wav"))
      #expect(file.channels.count == width && file.channels[0].count == 24_000)
      let peak = file.channels[0].map(\.magnitude).max() ?? 0
      #expect(abs(peak - 0.5012) < 0.001)
    }
  }

  @Test func aFileThatFailsLeavesTheOthers() throws {
    let files = [try sound("good.wav"), folder.path("broken.wav"), try sound("fine.wav")]
    try Data("no sound".utf8).write(to: URL(fileURLWithPath: files[1]))
    let program = try Program(
      ["render", "--unit", "Reverse", "--out-dir", folder.path("out")] + files)
    #expect(program.waitForEnd() == 1)
    #expect(program.errors.contains("error: \(files[1])"), "\(program.errors)")
    #expect(program.errors.contains("1 of 3 failed"), "\(program.errors)")
    #expect(try names(in: "out") == ["fine.wav", "good.wav"])
  }

  @Test func inputsGoTogetherByTheirNames() throws {
    let rack = try folder.write(
      "mix.yaml",
      bytes: Array(
        """
        rack: Mix
        inputs: { left: , right: , both: }
        outputs: { main: , side: { channels: 1 } }
        connections: [ left -> main.1, right -> main.2, both -> main, both -> side ]
        """.utf8))
    for take in ["1", "2"] {
      for (side, level) in [("l", 0.1), ("r", 0.2)] {
        try FileManager.default.createDirectory(
          atPath: folder.path(side), withIntermediateDirectories: true)
        try sound("\(side)/take\(take).wav", amplitude: level * Double(take)!)
      }
    }
    let ports = ["left=\(folder.path("l/*.wav"))", "right=\(folder.path("r/*.wav"))"]
    let both = try sound("both.wav", amplitude: 0)
    func render() throws -> Program {
      try Program(
        ["render", rack] + (ports + ["both=\(both)"]).flatMap { ["--in", $0] }
          + ["--out-dir", folder.path("out")])
    }
    let program = try render()
    #expect(program.waitForEnd() == 0, "\(program.errors)")
    #expect(
      try names(in: "out")
        == ["take1-main.wav", "take1-side.wav", "take2-main.wav", "take2-side.wav"])
    let main = try SoundFile(reading: folder.path("out/take2-main.wav")).channels
    let peaks = main.map { $0.map(\.magnitude).max() ?? 0 }
    #expect(abs(peaks[0] - 0.2) < 0.001 && abs(peaks[1] - 0.4) < 0.001)
    try sound("l/take3.wav")
    let odd = try render()
    #expect(odd.waitForEnd() == 1)
    #expect(odd.errors.contains("left has a file named take3, and right has none"), "\(odd.errors)")
  }

  @Test(arguments: [
    (["--in", "mic=no*.wav"], "no*.wav: there is no such file"),
    (["--in", "mic=a.wav", "--in", "mic=b/a.wav"], "their outputs would have one name"),
    (["--in", "mic=a.wav", "--out", "main=b.wav"], "--out names one file"),
    ([], "give --in PORT=FILES"),
  ])
  func whatCannotBeIsRefused(options: [String], words: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("b"), withIntermediateDirectories: true)
    try sound("a.wav")
    try sound("b/a.wav")
    let program = try Program(
      ["render", "dalek-voice", "--out-dir", folder.path("out")]
        + options.map { $0.replacing("=", with: "=\(folder.url.path)/") })
    #expect(program.waitForEnd() != 0)
    #expect(program.errors.contains(words), "\(program.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func filesThatAreReadAreNotReplaced() throws {
    let file = try sound("a.wav")
    for arguments in [
      ["--unit", "Reverse", file], ["dalek-voice", "--in", "mic=\(file)"],
    ] {
      let program = try Program(["render", "--out-dir", folder.url.path] + arguments)
      #expect(program.waitForEnd() == 1 && program.errors.contains("--force"), "\(program.errors)")
    }
    #expect(try SoundFile(reading: file).channels[0].count == 24_000)
  }

  @Test func aSignalLeavesWholeFilesAlone() throws {
    for index in 0..<6 { try sound("\(index).wav", frames: 48_000 * 60) }
    let program = try Program([
      "render", "--unit", "Stretch", "--set", "stretch=1000 %", "--out-dir", folder.path("out"),
      folder.path("?.wav"),
    ])
    // Each rendering has a file from its start.
    while try !FileManager.default.fileExists(atPath: folder.path("out"))
      || names(in: "out").isEmpty
    { usleep(1000) }
    program.send(SIGINT)
    #expect(program.waitForEnd() == 1)
    #expect(program.errors.contains("interrupted; "), "\(program.errors)")
    #expect(try names(in: "out").allSatisfy { $0.hasSuffix(".wav") && !$0.hasPrefix(".") })
  }

  // MARK: - Offline effects

  @Test func aRackWithAnOfflineEffectIsRenderedAndNotPlayed() throws {
    let rack = try folder.write(
      "back.yaml",
      bytes: Array(
        """
        rack: Back
        inputs: { mic: }
        outputs: { main: { channels: 1 } }
        units:
          back: { unit: Reverse }
        connections: [ mic -> back -> main ]
        """.utf8))
    let place = folder.path("out.wav")
    let rendered = try Program.run(
      "render", rack, "--in", "mic=\(try sound("in.wav"))", "--out", "main=\(place)")
    #expect(rendered.status == 0 && rendered.errors.isEmpty, "\(rendered.errors)")
    let sounds = try [folder.path("in.wav"), place].map { try SoundFile(reading: $0).channels[0] }
    #expect(sounds[1] == sounds[0].reversed())
    let checked = try Program.run("check", rack)
    #expect(checked.status == 0 && checked.output.contains("to be rendered"))
    for arguments in [["run", rack], ["play", "Reverse"]] {
      let program = try Program(arguments)
      #expect(program.waitForEnd() == 2)
      #expect(program.errors.contains("is an offline effect"), "\(program.errors)")
      #expect(program.errors.contains("backline render"))
    }
    let run = try Program.run("run", rack)
    #expect(
      run.errors.hasPrefix("\(rack):5:3: error: “back” is an offline effect"), "\(run.errors)")
    let exported = try Program.run("export-lv2", rack, "--out", folder.path("out.lv2"))
    #expect(exported.status != 0 && exported.errors.contains("is an offline effect"))
  }
}
