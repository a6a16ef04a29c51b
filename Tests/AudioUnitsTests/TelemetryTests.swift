import AudioUnits
import BacklineTestSupport
import Testing
import UnitModel

/// Units show telemetry, in this process and in their own.
struct TelemetryTests {
  private static let processes: [ProcessChoice] = [.host, .own]

  private func unit(_ name: String, _ process: ProcessChoice) throws -> AudioUnit {
    let component = try #require(
      try ComponentCatalogue().components(for: UnitReference(name)).first)
    let unit = try AudioUnit(component, process: process)
    unit.isRenderingOffline = true
    try unit.allocateRenderResources()
    return unit
  }

  /// Renders in cycles of 256 frames.
  private func render(
    _ unit: AudioUnit, from input: [Float] = [], frames: Int, at start: Int = 0
  ) throws -> [Float] {
    let bus = try #require(unit.outputBusses.first)
    var heard: [Float] = []
    for first in stride(from: 0, to: frames, by: 256) {
      let output = AudioPCMBuffer(format: bus.format, frameCapacity: 256)
      let part = Array(input[min(first, input.count)..<min(first + 256, input.count)])
      let inputs =
        unit.inputBusses.isEmpty ? [] : [AudioPCMBuffer([part, part], sampleRate: 48_000)]
      try unit.render(to: output, from: inputs, at: Int64(start + first))
      heard += output[0]
    }
    return heard
  }

  @Test(arguments: processes) func soundIsWatchedFrameByFrame(process: ProcessChoice) throws {
    let gain = try unit("aufx/gain/bkln", process)
    try gain.setParameter(#require(gain.facts.parameter(atKeyPath: "gain")).address, to: -6)
    let noise = Signals.noise(frames: 8192)
    _ = try render(gain, from: noise, frames: 4096)
    #expect(gain.readWatchedSound(.output).isEmpty)
    try gain.watch([.input, .output])
    let heard = try render(gain, from: noise, frames: 8192, at: 4096)
    let (input, output) = (gain.readWatchedSound(.input), gain.readWatchedSound(.output))
    // Watching starts with a cycle within the first 50 ms.
    #expect((8192 - 2400...8192).contains(output.count))
    #expect(input.count == output.count)
    #expect(input.map(\.x) == Array(noise.suffix(input.count)))
    #expect(output.map(\.x) == Array(heard.suffix(output.count)))
    #expect(output.map(\.y) == output.map(\.x))
    #expect(input.map(\.x) != output.map(\.x))
    try gain.watch([])
    _ = try render(gain, from: noise, frames: 4096, at: 12_288)
    #expect(gain.readWatchedSound(.output).count <= 256)
  }

  @Test(arguments: processes) func notesOfAnInstrumentAreShown(process: ProcessChoice) throws {
    let sine = try unit("aumu/sine/bkln", process)
    #expect(sine.facts.telemetry.map(\.identifier) == ["notes"])
    _ = try render(sine, frames: 4096)
    #expect(sine.readTelemetry(0) == nil)
    try sine.watch([.telemetry(0)])
    try sine.scheduleMIDI(bytes: [0x90, 60, 127])
    _ = try render(sine, frames: 12_288, at: 4096)
    let levels = try #require(sine.readTelemetry(0))
    #expect(levels.count == 128)
    #expect(levels[60] > 0.5 && levels.indices.allSatisfy { $0 == 60 || levels[$0] == 0 })
    // There is nothing new before the next cycle.
    #expect(sine.readTelemetry(0) == nil)
    #expect(sine.readTelemetry(1) == nil)
  }

  @Test func strokesOfTheVelocityCurveAreShownAsPairs() throws {
    let curve = try unit("aumi/velo/bkln", .host)
    try curve.watch([.telemetry(0)])
    for velocity: UInt8 in [10, 64, 127] { try curve.scheduleMIDI(bytes: [0x90, 60, velocity]) }
    for cycle in 0..<20 { try curve.render(at: Int64(256 * cycle), frames: 256) }
    #expect(curve.readTelemetry(0) == [10, 10, 64, 64, 127, 127])
  }

  @Test func theLoopIsShownAsItIsRecorded() throws {
    let looper = try unit("aufx/loop/bkln", .host)
    let record = try #require(looper.facts.parameter(atKeyPath: "record")).address
    let sound = (0..<48_000).map { Float($0 / 12_000) * 0.25 }
    try looper.watch([.telemetry(0)])
    try looper.scheduleParameter(address: record, value: 1)
    _ = try render(looper, from: sound, frames: 48_000)
    try looper.scheduleParameter(address: record, value: 1)
    _ = try render(looper, frames: 24_064, at: 48_128)
    let columns = try #require(looper.readTelemetry(0))
    #expect(columns.count == 256)
    for (column, level) in [(32, 0), (96, 0.25), (160, 0.5), (224, 0.75)] as [(Int, Float)] {
      #expect(columns[column] == level)
    }
    // A cleared loop shows an empty array.
    let clear = try #require(looper.facts.parameter(atKeyPath: "clear")).address
    try looper.scheduleParameter(address: clear, value: 1)
    _ = try render(looper, frames: 24_064, at: 72_192)
    #expect(looper.readTelemetry(0) == [])
  }

  /// Samples beyond ±120 dB are limited, so that they can be drawn and written.
  @Test func whatIsAbsurdlyLoudIsShownAt120Decibels() throws {
    let gain = try unit("aufx/gain/bkln", .host)
    try gain.watch([.input])
    _ = try render(gain, frames: 4096)
    _ = gain.readWatchedSound(.input)
    let loud = [1e30, -1e30, 0.5] + [Float](repeating: 0, count: 253)
    _ = try render(gain, from: loud, frames: 256, at: 4096)
    #expect(gain.readWatchedSound(.input).map(\.x).prefix(3) == [1e6, -1e6, 0.5])
  }

  /// The view's channel returns the waveform of a file whose level rises.
  @Test(arguments: processes) func thePlayerAnswersWithItsWaveform(process: ProcessChoice) throws {
    let folder = try TemporaryFolder()
    let ramp = (0..<25_600).map { (frame: Int) -> Float in
      let level = Float(frame / 100) / 256
      return frame % 2 == 0 ? level : -level
    }
    let path = try SoundFile(sampleRate: 48_000, channels: [ramp]).write(folder.path("ramp.wav"))
    let component = try #require(
      try ComponentCatalogue().components(for: UnitReference("augn/play/bkln")).first)
    let player = try AudioUnit(component, process: process)
    #expect(throws: AudioUnitError.self) { try player.send(message: "", channel: "waveform") }
    // The player's own process may not read the test's file.
    if process == .host { try player.setProperty("file", to: path) } else { return }
    let levels = try player.send(message: "", channel: "waveform").split(separator: " ")
      .compactMap { Int($0) }
    #expect(levels == (0..<256).map { 99 * $0 / 256 })
    let error = #expect(throws: AudioUnitError.self) {
      try player.send(message: "", channel: "wave")
    }
    #expect(error?.reason.contains("no channel “wave”, but “waveform”") == true)
  }

  @Test func aUnitWithoutChannelsRefusesMessages() throws {
    for process in Self.processes {
      let gain = try unit("aufx/gain/bkln", process)
      let error = #expect(throws: AudioUnitError.self) {
        try gain.send(message: "hello", channel: "greetings")
      }
      #expect(
        error?.reason == "it has no message channels"
          || error?.reason == "the unit has no message channels")
    }
  }
}
