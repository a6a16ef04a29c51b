import BacklineTestSupport
import CUnits
import Documents
import Foundation
import SoundFiles
import Testing

/// Racks read and write sound files.
struct SoundFileTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Returns the mean and the largest error of a -40 dBFS sine, in steps of the written integers.
  private func errors(
    _ samples: SampleFormat, bits: Int, isDithered: Bool?, suffix: String = "wav"
  ) throws -> (mean: Double, largest: Double) {
    let sine = SoundFile.sine(997, frames: 48_000, amplitude: 0.01).channels[0]
    let path = folder.path("sine.\(suffix)")
    let writer = try SoundFileWriter(
      path: path, channelCount: 1, sampleRate: 48_000, samples: samples, isDithered: isDithered)
    try sine.withUnsafeBufferPointer { try writer.write([$0]) }
    try writer.complete()
    try WholeFile.putInPlace([(writer.temporaryPath, writer.place)])
    let steps = Double(1 << (bits - 1))
    let differences = zip(try SoundFile(reading: path).channels[0], sine).map {
      (Double($0) - Double($1)) * steps
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    return (mean, differences.map(\.magnitude).max() ?? 0)
  }

  @Test(arguments: ["wav", "flac", "aiff"])
  func integersAreRounded(suffix: String) throws {
    let coarse = try errors(.int16, bits: 16, isDithered: false, suffix: suffix)
    #expect(abs(coarse.mean) < 0.02 && coarse.largest <= 0.5, "\(coarse)")
    let fine = try errors(.int24, bits: 24, isDithered: nil, suffix: suffix)
    #expect(abs(fine.mean) < 0.02 && fine.largest <= 0.5, "\(fine)")
  }

  @Test func sixteenBitsAreDithered() throws {
    let dithered = try errors(.int16, bits: 16, isDithered: nil)
    #expect(abs(dithered.mean) < 0.02, "\(dithered)")
    #expect(dithered.largest > 1 && dithered.largest <= 1.5, "\(dithered)")
  }

  @Test func fullScaleIsClippedAndNotWrapped() throws {
    let path = folder.path("loud.wav")
    let writer = try SoundFileWriter(
      path: path, channelCount: 1, sampleRate: 48_000, samples: .int24)
    let loud: [Float] = [1, -1, 2, -2, 0]
    try loud.withUnsafeBufferPointer { try writer.write([$0]) }
    try writer.complete()
    try WholeFile.putInPlace([(writer.temporaryPath, writer.place)])
    #expect(writer.clippedSamples == 2)
    let top = 1 - 1 / Float(1 << 23)
    #expect(try SoundFile(reading: path).channels[0] == [top, -1, top, -1, 0])
  }

  /// A recorder that lost power has written the samples, but not their number.
  @Test(arguments: SoundFile.Format.allCases)
  func unfinishedRecordingsAreReadWhole(format: SoundFile.Format) throws {
    guard format != .vorbis else { return }  // It states no length.
    let sound = SoundFile.noise(frames: 20_000, channels: 2)
    let path = try sound.write(folder.path("recording"), format)
    let whole = try SoundFile(reading: path)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    if format == .flac {
      // The number of frames has 36 bits.
      bytes[21] &= 0xF0
      for offset in 22..<26 { bytes[offset] = 0 }
    } else {
      let data = try #require((12..<200).first { bytes[$0...].starts(with: "data".utf8) })
      for offset in [4, 5, 6, 7, data + 4, data + 5, data + 6, data + 7] { bytes[offset] = 0 }
    }
    _ = try folder.write("recording", bytes: bytes)
    let reader = try SoundFileReader(path: path, sampleRate: 48_000)
    #expect(reader.frameCount == 20_000 && reader.isCutShort)
    let channels = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 20_000) }
    defer { for channel in channels { channel.deallocate() } }
    try reader.read(into: channels[...], frames: 20_000)
    let player = BuiltInUnit("augn/play/bkln").descriptor
    let host = try UnitHost(player, outputChannels: [2], properties: ["file": path])
    let played = host.render(frames: 45_000)
    for (channel, expected) in whole.channels.enumerated() {
      let read = Array(UnsafeBufferPointer(start: channels[channel], count: 20_000))
      #expect(firstDifference(read, expected) == nil)
      let laps = (0..<45_000).map { expected[$0 % 20_000] }
      #expect(firstDifference(played[channel], laps) == nil)
    }
  }

  /// Returns small files, one of every readable format and one of an unknown format.
  private func originals() throws -> [[UInt8]] {
    let sound = SoundFile.noise(frames: 100, channels: 2)
    var files = try SoundFile.Format.allCases.map { format in
      let path = try sound.write(folder.path("original"), format)
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    files.append((0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) })
    return files
  }

  /// A header may contain anything: missing data is reported, and nothing traps.
  @Test func damagedFilesAreReadOrRefused() throws {
    let originals = try originals()
    let memory = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 512) }
    defer { for channel in memory { channel.deallocate() } }
    var mutator = Mutator(seed: 12)
    for turn in 0..<600 {
      let path = try folder.write(
        "damaged.wav", bytes: mutator.mutated(originals[turn % originals.count]))
      do throws(SoundFileError) {
        let reader = try SoundFileReader(path: path, sampleRate: 44_100)
        let width = min(reader.width, 2)
        for _ in 0..<6 { try reader.read(into: memory[..<width], frames: 512) }
        #expect(reader.frameCount >= 0)
      } catch {
        #expect(error.description.hasPrefix(path), "\(error)")
      }
      let player = BuiltInUnit("augn/play/bkln")
      if let host = try? UnitHost(
        player.descriptor, outputChannels: [2], maximumFrames: 512, properties: ["file": path])
      {
        let sound = host.render(frames: 512)
        #expect(sound.allSatisfy { $0.allSatisfy(\.isFinite) })
      }
    }
  }

  @Test func aHeaderThatLiesAboutTheRateIsRefused() throws {
    var bytes = try originals()[1]
    for offset in 24..<28 { bytes[offset] = [0xFF, 0xFF, 0xFF, 0x7F][offset - 24] }
    let path = try folder.write("rate.wav", bytes: bytes)
    let error = #expect(throws: SoundFileError.self) {
      try SoundFileReader(path: path, sampleRate: 48_000)
    }
    #expect(error?.description.contains("sample rates are 1000 Hz to 768 kHz") == true)
  }
}
