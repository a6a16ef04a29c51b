import BacklineTestSupport
import Foundation
import Testing

private let sounds = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("racks/sounds")

private let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// The impulse responses that the shipped racks convolve with.
struct ImpulseResponseFilesTests {
  @Test(.enabled(if: python != nil, "python3 is not installed"))
  func `are what the script makes`() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(python))
    process.arguments = [
      sounds.appendingPathComponent("make-responses.py").path, folder.url.path, "wav",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for (name, channels) in [("cabinet-closed", 1), ("cabinet-open", 1), ("small-room", 2)] {
      let made = try SoundFile(reading: folder.path("\(name).wav"))
      let shipped = try SoundFile(reading: sounds.appendingPathComponent("\(name).flac").path)
      #expect(shipped.sampleRate == 48_000 && shipped.channels.count == channels)
      try #require(made.channels.map(\.count) == shipped.channels.map(\.count))
      for (left, right) in zip(made.channels, shipped.channels) {
        // Mathematical libraries may differ in the last place.
        #expect(zip(left, right).allSatisfy { abs($0 - $1) <= 2 / 32_768 })
      }
    }
  }
}
