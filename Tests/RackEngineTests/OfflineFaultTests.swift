import BacklineTestSupport
import Foundation
import RackEngine
import RackTestSupport
import Testing

@testable import RackModel

/// Faulty files and full disks are reported clearly, and nothing is lost.
struct OfflineFaultTests {
  private let folder: TemporaryFolder
  private let plan: Plan
  private let noise: String

  init() throws {
    folder = try TemporaryFolder()
    plan = try TestRacks.plan(units: "gain: { unit: aufx/gain/bkln }", "in -> gain -> out")
    noise = try SoundFile.noise(frames: 48_000, channels: 1).write(folder.path("noise.wav"))
  }

  @discardableResult
  private func render(
    in input: String? = nil, out: String, _ configure: (inout OfflineJob) -> Void = { _ in },
    progress: (Double) throws(RackError) -> Void = { _ in }
  ) throws -> OfflineResult {
    var job = OfflineJob()
    job.inputs = ["in": input ?? noise]
    job.outputs = ["out": out]
    configure(&job)
    return try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job).render(
      progress: progress)
  }

  /// Returns the text of the error that `body` throws.
  private func refusal(_ body: () throws -> Void) -> String {
    (#expect(throws: (any Error).self) { try body() }).map { "\($0)" } ?? ""
  }

  @Test func materialOfMoreThanADayNeedsALength() {
    let text = refusal {
      try render(out: folder.path("out.wav")) { job in
        job.automation = [
          PlannedLane(
            target: .parameter(unit: 0, address: 0), clock: .seconds, curve: .hold,
            points: [.init(time: 100_000, value: 0)], info: .bypass)
        ]
      }
    }
    #expect(text.hasSuffix("more than 24; give --length to render more"))
  }

  private func files(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  // MARK: Names

  @Test func unknownPortsAreNamedWithThoseThereAre() {
    let input = refusal { try render(out: folder.path("x.wav")) { $0.inputs["mic"] = noise } }
    #expect(input.contains("no audio input mic") && input.contains("it has in"))
    let output = refusal { try render(out: folder.path("x.wav")) { $0.outputs["main"] = "y.wav" } }
    #expect(output.contains("no output main") && output.contains("it has out"))
  }

  @Test func channelsThatDoNotFitAreSaid() throws {
    let stereo = try SoundFile.noise(frames: 100, channels: 2).write(folder.path("stereo.wav"))
    let message = refusal { try render(in: stereo, out: folder.path("x.wav")) }
    #expect(message.contains("stereo.wav has 2 channels") && message.contains("input in has 1"))
  }

  @Test func twoOutputsIntoOneFileAreRefused() throws {
    let plan = try TestRacks.plan(
      "{ rack: Two, inputs: { in: {} }, outputs: { a: {}, b: {} }, connections: [in -> a, in -> b] }"
    )
    var job = OfflineJob()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.url.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("x-link.wav"), withDestinationPath: "x.wav")
    for other in ["x.wav", "./x.wav", "link/x.wav", "x-link.wav"] {
      job.outputs = ["a": folder.path("x.wav"), "b": "\(folder.url.path)/\(other)"]
      let message = refusal {
        _ = try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job)
      }
      #expect(message.contains("x.wav") && message.contains("two outputs"), "\(other)")
    }
  }

  // MARK: Inputs

  @Test func inputsWithoutSoundAreNamedAndRefused() throws {
    let header = Array(try Data(contentsOf: URL(fileURLWithPath: noise)).prefix(80))
    let random = Signals.noise(frames: 5000).map { UInt8(truncatingIfNeeded: Int($0 * 1000)) }
    let wrong = [
      (folder.path("missing.wav"), "No such file"), (folder.url.path, "folder"),
      (try folder.write("empty.wav", bytes: []), "empty"),
      (try folder.write("garbage.wav", bytes: random), "sound file"),
      (try folder.write("text.flac", bytes: Array("not a sound".utf8)), "sound file"),
      (try folder.write("header.wav", bytes: header), "no sound"),
    ]
    for (path, reason) in wrong {
      let message = refusal { try render(in: path, out: folder.path("x.wav")) }
      #expect(message.contains(path) && message.contains(reason), "\(message)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("x.wav")))
  }

  @Test(arguments: [SoundFile.Format.wave16, .waveFloat, .flac])
  func aFileCutShortIsRenderedAndSaid(
    format: SoundFile.Format
  ) throws {
    let whole = try SoundFile.noise(frames: 48_000, channels: 1).write(folder.path("whole"), format)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: whole)))
    let cut = try folder.write("cut", bytes: Array(bytes.prefix(bytes.count / 2)))
    let fromWhole = try render(in: whole, out: folder.path("whole.wav"))
    #expect(fromWhole.incompleteInputs == [] && fromWhole.frames == 48_000)
    let fromCut = try render(in: cut, out: folder.path("cut.wav"))
    #expect(fromCut.incompleteInputs == [cut])
    #expect((10_000...30_000).contains(fromCut.frames))
    let both = try ["whole.wav", "cut.wav"].map {
      try SoundFile(reading: folder.path($0)).channels[0].prefix(10_000)
    }
    #expect(firstDifference(both[0], both[1]) == nil)
  }

  // MARK: Outputs

  @Test func placesThatCannotBeWrittenAreNamed() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.wav"), withIntermediateDirectories: false)
    for (path, reason) in [
      (folder.path("nowhere/x.wav"), "No such file"),
      (folder.path("folder.wav"), "not a regular file"),
      (folder.path("x.xyz"), "wav, flac"), (folder.path("x"), "wav, flac"),
      ("/proc/x.wav", "x.wav"),
    ] {
      let message = refusal { try render(out: path) }
      #expect(message.contains(path) && message.contains(reason), "\(message)")
    }
    #expect(try files(in: folder) == ["folder.wav", "noise.wav"])
  }

  @Test func formatsWithTooFewChannelsAreRefused() throws {
    let plan = try TestRacks.plan(
      channels: 3, units: "gain: { unit: aufx/gain/bkln }", "in -> gain -> out")
    var job = OfflineJob()
    job.outputs = ["out": folder.path("x.mp3")]
    job.length = 0.1
    let message = refusal {
      _ = try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job).render()
    }
    #expect(message.contains("x.mp3") && message.contains("3 channels"))
    #expect(try files(in: folder) == ["noise.wav"])
  }

  @Test func whatWasThereStaysUntilAllIsRendered() throws {
    let place = try folder.write("x.wav", bytes: [1, 2, 3])
    let message = refusal {
      try render(out: place) { _ in
      } progress: { share throws(RackError) in
        if share > 0.5 { throw RackError("enough") }
      }
    }
    #expect(message == "enough")
    #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == Data([1, 2, 3]))
    #expect(try files(in: folder) == ["noise.wav", "x.wav"])
    try render(out: place)
    #expect(try SoundFile(reading: place).channels[0].count == 48_000)
    #expect(try files(in: folder) == ["noise.wav", "x.wav"])
  }

  /// A symbolic link stays a link, whether or not its target exists.
  @Test(arguments: [false, true]) func whatALinkLeadsToIsReplaced(isThere: Bool) throws {
    let place = folder.path("real.wav")
    if isThere { _ = try folder.write("real.wav", bytes: [1, 2, 3]) }
    let link = folder.path("link.wav")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "real.wav")
    try render(out: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.wav")
    #expect(try SoundFile(reading: place).channels[0].count == 48_000)
    #expect(try files(in: folder) == ["link.wav", "noise.wav", "real.wav"])
  }

  @Test func aReplacedFileKeepsItsMode() throws {
    let place = try folder.write("x.wav", bytes: [1, 2, 3])
    #expect(chmod(place, 0o640) == 0)
    try render(out: place)
    var facts = stat()
    #expect(stat(place, &facts) == 0 && facts.st_mode & 0o7777 == 0o640)
  }

  /// The renderer replaces neither a file in the temporary file's place, nor the target of a link there.
  @Test func nothingInTheWayIsTouched() throws {
    let precious = try folder.write("precious", bytes: [1, 2, 3])
    let place = folder.path("x.wav")
    let inTheWay = "x.wav.\(getpid()).partial"
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(inTheWay), withDestinationPath: precious)
    try render(out: place)
    #expect(try Data(contentsOf: URL(fileURLWithPath: precious)) == Data([1, 2, 3]))
    #expect(try files(in: folder) == ["noise.wav", "precious", "x.wav", inTheWay])
  }

  @Test func floatSamplesInAFormatWithoutThemAreSaid() {
    let message = refusal { try render(out: folder.path("x.flac")) { $0.samples = .float } }
    #expect(message.contains("x.flac") && message.contains("float"))
    #expect(!message.contains("suffix"))
  }

  @Test func anInputIsItsOwnOutputOnlyWhereThatIsAskedFor() throws {
    let before = try SoundFile(reading: noise).channels
    let bytes = try Data(contentsOf: URL(fileURLWithPath: noise))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.wav"), withDestinationPath: "noise.wav")
    for out in [noise, "\(folder.url.path)/./noise.wav", folder.path("link.wav")] {
      let message = refusal { try render(out: out) }
      #expect(
        message == "\(out): output out would take the place of what input in reads")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: noise)) == bytes)
    try render(out: noise) {
      $0.samples = .float
      $0.mayReplaceInputs = true
    }
    #expect(firstDifference(try SoundFile(reading: noise).channels, before) == nil)
  }

  @Test func whatAUnitPlaysIsNoOutput() throws {
    var plan = try TestRacks.plan(
      """
      rack: Loop
      outputs: { out: { channels: 1 } }
      units:
        loop: { unit: augn/play/bkln, properties: { file: sounds/drum-loop.flac }, channels: 1 }
      connections: [ loop -> out ]
      """)
    plan.units[0].properties[0].value = noise
    var job = OfflineJob()
    job.outputs = ["out": noise]
    let message = refusal {
      _ = try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job)
    }
    #expect(message == "\(noise): output out would take the place of what unit loop reads")
  }

  @Test func clippedSamplesAreCounted() throws {
    let loud = try SoundFile(sampleRate: 48_000, channels: [[0.5, 1.5, -2, 1, -1, 0]])
      .write(folder.path("loud.wav"))
    let place = folder.path("x.wav")
    #expect(try render(in: loud, out: place) { $0.samples = .int24 }.clippedSamples == [place: 2])
    #expect(try SoundFile(reading: place).channels[0].map(\.magnitude).max() ?? 2 <= 1)
    // The default format is float.
    #expect(try render(in: loud, out: place).clippedSamples == [:])
    #expect(try SoundFile(reading: place).channels[0][..<3] == [0.5, 1.5, -2])
  }

  @Test(
    .enabled(if: SmallDisk.isPossible, "only root can mount a small disk"),
    arguments: ["x.wav", "x.flac", "x.ogg", "x.aiff"])
  func aFullDiskIsSaidAndNothingIsLost(name: String) throws {
    let disk = try SmallDisk(bytes: 16_384)
    let place = try disk.folder.write(name, bytes: [1, 2, 3])
    let message = refusal {
      // Three seconds of noise are too much for every format.
      let long = try SoundFile.noise(frames: 144_000, channels: 1).write(folder.path("long.wav"))
      try render(in: long, out: place)
    }
    #expect(message.contains(place) && message.contains("No space left"), "\(message)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == Data([1, 2, 3]))
    #expect(try files(in: disk.folder) == [name])
  }

  @Test func anOutputThatCannotBePutInItsPlaceLeavesAllAsTheyWere() throws {
    let plan = try TestRacks.plan(
      """
      rack: two
      inputs: { in: { channels: 1 } }
      outputs: { a: { channels: 1 }, b: { channels: 1 } }
      units: { gain: { unit: aufx/gain/bkln } }
      connections: [ in -> gain -> a, gain -> b ]
      """)
    var job = OfflineJob()
    job.inputs = ["in": noise]
    job.outputs = ["a": folder.path("a.wav"), "b": folder.path("b.wav")]
    try folder.write("a.wav", bytes: [1, 2, 3])
    var isBlocked = false
    let renderer = try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job)
    #expect(throws: (any Error).self) {
      _ = try renderer.render { _ in
        guard !isBlocked else { return }
        isBlocked = true
        try FileManager.default.createDirectory(
          atPath: folder.path("b.wav/within"), withIntermediateDirectories: true)
      }
    }
    #expect(isBlocked)
    #expect(FileManager.default.contents(atPath: folder.path("a.wav")) == Data([1, 2, 3]))
    withExtendedLifetime(renderer) {}
    #expect(try files(in: folder).filter { $0.hasSuffix(".former") }.isEmpty)
  }
}
