import BacklineTestSupport
import Foundation
import Testing

private let sounds = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("racks/sounds")

private let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// The loop that the shipped racks play.
struct DrumLoopTests {
  let path = sounds.appendingPathComponent("drum-loop.flac").path

  @Test func `two bars at 120 beats per minute, at a good level`() throws {
    let loop = try SoundFile(reading: path)
    #expect(loop.sampleRate == 48_000)
    #expect(loop.channels.map(\.count) == [192_000, 192_000])
    let peak = try #require(loop.channels.joined().map(abs).max())
    let level = 20 * log10(peak)
    #expect((-3 ... -1).contains(level))
    for channel in loop.channels {
      #expect(abs(channel.reduce(0, +) / Float(channel.count)) < 0.01)
    }
  }

  /// A cut tail would be a step larger than the drums' own.
  @Test func `the seam is no larger a step than a stroke`() throws {
    for channel in try SoundFile(reading: path).channels {
      let seam = abs(channel[0] - channel[channel.count - 1])
      #expect(seam < Signals.largestStep(channel) / 2)
    }
  }

  @Test func `the player loops it`() throws {
    let loop = try SoundFile(reading: path)
    let output = try makePlayer(path).render(frames: 400_000)
    for channel in 0...1 {
      #expect(
        firstDifference(output[channel], looped(loop.channels[channel], frames: 400_000)) == nil)
    }
  }

  @Test(.enabled(if: python != nil, "python3 is not installed"))
  func `is what the script makes`() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(python))
    process.arguments = [
      sounds.appendingPathComponent("make-drum-loop.py").path, folder.path("loop.wav"),
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let committed = try SoundFile(reading: path)
    let made = try SoundFile(reading: folder.path("loop.wav"))
    #expect(made.sampleRate == committed.sampleRate)
    try #require(made.channels.map(\.count) == committed.channels.map(\.count))
    for (left, right) in zip(made.channels, committed.channels) {
      // Mathematical libraries may differ in the last place.
      #expect(zip(left, right).allSatisfy { abs($0 - $1) <= 2 / 32_768 })
    }
  }
}
