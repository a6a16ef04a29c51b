import BacklineTestSupport
import CUnit
import CUnits
import Foundation
import Synchronization
import Testing

/// Faults of a sound file before and while it plays.
struct PlayerFaultTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// What set_property says about `path`, to a player that goes on with what it had.
  private func complaint(_ path: String) throws -> String {
    let good = SoundFile.noise(frames: 3000, channels: 1)
    let host = try makePlayer(good.write(folder.path("good.wav")), channels: 1)
    #expect(firstDifference(host.render(frames: 3000)[0], good.channels[0]) == nil)
    let refusal = try #require(throws: UnitHost.Refusal.self) { try host.setProperty("file", path) }
    #expect(refusal.status == bl_status(BL_ERROR_INVALID_PROPERTY_VALUE))
    #expect(refusal.description.hasPrefix("cannot open "))
    let name = URL(fileURLWithPath: path).lastPathComponent
    #expect(refusal.description.contains(name))
    #expect(firstDifference(host.render(frames: 3000)[0], good.channels[0]) == nil)
    #expect(!isOpen(path))
    return refusal.description
  }

  /// Does this process hold the file open?
  private func isOpen(_ path: String) -> Bool {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
    }
  }

  private func wave(_ name: String, frames: Int = 100_000) throws -> [UInt8] {
    let path = try SoundFile.noise(frames: frames, channels: 2).write(folder.path(name), .wave16)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func `missing`() throws {
    #expect(try complaint(folder.path("no.wav")).contains("No such file"))
    #expect(throws: UnitHost.Refusal.self) { try makePlayer(folder.path("no.wav")) }
  }

  @Test func `a folder`() throws {
    #expect(try complaint(folder.url.path).contains("it is a folder"))
  }

  @Test func `a named pipe does not hold us up`() throws {
    #expect(mkfifo(folder.path("pipe.wav"), 0o600) == 0)
    #expect(try complaint(folder.path("pipe.wav")).contains("not a regular file"))
  }

  @Test func `zero-length`() throws {
    #expect(try complaint(folder.write("empty.wav", bytes: [])).contains("it is empty"))
  }

  @Test func `of an unknown format`() throws {
    let bytes = Array("Not a sound at all, but a shopping list.\n".utf8)
    let message = try complaint(folder.write("list.txt", bytes: bytes + bytes + bytes))
    #expect(message.contains("ormat"))
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `unreadable`() throws {
    let path = try folder.write("secret.wav", bytes: wave("x.wav"))
    chmod(path, 0)
    #expect(try complaint(path).contains("Permission denied"))
  }

  @Test func `a long path leaves room for the reason`() throws {
    let name = String(repeating: "ü", count: 60) + ".wav"
    let message = try complaint(folder.path(String(repeating: "d/", count: 300) + name))
    #expect(message.contains("No such file"))
  }

  /// A descriptor closed twice is, the second time, another thread's.
  @Test func `a refused file takes no other's descriptor with it`() async throws {
    let path = try folder.write("list.wav", bytes: Array("Not a sound at all.\n".utf8))
    let host = try makePlayer(
      SoundFile.noise(frames: 3000, channels: 1).write(folder.path("good.wav")), channels: 1)
    let others = Task.detached {
      (0..<repetitions(100_000)).count { _ in
        // None is left where others have opened many.
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return descriptor >= 0 && close(descriptor) != 0
      }
    }
    for _ in 0..<repetitions(3000) {
      #expect(throws: UnitHost.Refusal.self) { try host.setProperty("file", path) }
    }
    #expect(await others.value == 0)
  }

  @Test func `cut within its header`() throws {
    for length in [4, 20, 40, 44] {
      _ = try complaint(folder.write("cut.wav", bytes: Array(wave("w.wav").prefix(length))))
    }
  }

  private func half(_ format: SoundFile.Format) throws -> String {
    let whole = try SoundFile.noise(frames: 100_000, channels: 2).write(folder.path("w"), format)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
    return try folder.write("cut", bytes: Array(bytes.prefix(bytes.count / 2)))
  }

  @Test func `cut in the middle`() throws { _ = try complaint(half(.flac)) }

  /// It does not say how long it is.
  @Test func `a Vorbis file cut in the middle plays what it has`() throws {
    let output = try makePlayer(half(.vorbis)).render(frames: 40_000)
    #expect(output[0][30_000...].contains { abs($0) > 0.1 })
  }

  /// RIFF allows it: a length of 0xFFFFFFFF means "unknown", and what is there plays.
  @Test func `a wave file cut in the middle plays what it has`() throws {
    let bytes = try wave("w.wav")
    let path = try folder.write("cut.wav", bytes: Array(bytes.prefix(44 + 4 * 1000)))
    let host = try makePlayer(path)
    let output = host.render(frames: 2000)
    #expect(firstDifference(output[0][..<1000], output[0][1000...]) == nil)
  }

  @Test func `absurd headers`() throws {
    var channels = try wave("w.wav")
    channels[22] = 200  // channels
    _ = try complaint(folder.write("channels.wav", bytes: channels))
    for rate: [UInt8] in [
      [0, 0, 0, 0], [1, 0, 0, 0], [255, 255, 255, 127], [255, 255, 255, 255],
    ] {
      var bytes = try wave("w.wav")
      bytes.replaceSubrange(24..<28, with: rate)
      _ = try complaint(folder.write("rate.wav", bytes: bytes))
    }
    let flac = try SoundFile.noise(frames: 50_000, channels: 2).write(folder.path("w.flac"), .flac)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: flac)))
    bytes[21] |= 15  // the highest bits of the number of frames
    bytes[22] = 255
    _ = try complaint(folder.write("long.flac", bytes: bytes))
  }

  /// Any single byte of a header may be wrong; whatever the answer is, it is finite and bounded.
  @Test(arguments: [SoundFile.Format.wave16, .flac, .vorbis])
  func `damaged headers never crash`(format: SoundFile.Format) throws {
    let path = try SoundFile.noise(frames: 20_000, channels: 2).write(folder.path("w"), format)
    let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for place in 0..<64 {
      for value: UInt8 in [0, 127, 255] {
        var bytes = good
        bytes[place] = value
        let damaged = try folder.write("damaged", bytes: bytes)
        guard let host = try? makePlayer(damaged) else { continue }
        let output = host.render(frames: 2000)
        #expect(output.joined().allSatisfy { abs($0) <= 16 })
      }
    }
  }

  /// A streamed player and the three seconds it has played.
  private func playing(_ format: SoundFile.Format) throws -> (UnitHost, SoundFile, String) {
    let file = SoundFile.sine(100, frames: 960_000, amplitude: 0.5)
    let path = try file.write(folder.path("live"), format)
    let host = try makePlayer(path, channels: 1)
    _ = host.render(frames: 144_000)
    return (host, try SoundFile(reading: path), path)
  }

  @Test(arguments: [SoundFile.Format.waveFloat, .flac, .vorbis])
  func `replaced or deleted while it plays: the old file goes on`(
    format: SoundFile.Format
  ) throws {
    let (host, file, path) = try playing(format)
    let other = try SoundFile.noise(frames: 1000, channels: 1).write(folder.path("other"))
    #expect(rename(other, path) == 0)
    let output = host.render(frames: 500_000)[0]
    #expect(
      firstDifference(output, looped(file.channels[0], from: 144_000, frames: 500_000)) == nil)
    #expect(unlink(path) == 0)
    let rest = host.render(frames: 1_000_000)[0]
    #expect(
      firstDifference(rest, looped(file.channels[0], from: 644_000, frames: 1_000_000)) == nil)
  }

  @Test(arguments: [SoundFile.Format.waveFloat, .wave16, .flac, .vorbis])
  func `cut while it plays: silence in time, without a click`(format: SoundFile.Format) throws {
    let (host, file, path) = try playing(format)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(truncate(path, bytes.count / 2) == 0)
    let output = host.render(frames: 816_000)[0]
    #expect(output.suffix(300_000).allSatisfy { $0 == 0 })
    if format != .vorbis {
      // The next lap begins in time, with what is left.
      let lap = host.render(frames: 300_000)[0]
      #expect(firstDifference(lap, file.channels[0][..<300_000]) == nil)
      #expect(Signals.largestStep(output + lap) < 0.01)
    }
  }

  @Test(arguments: [SoundFile.Format.waveFloat, .wave16, .flac, .vorbis])
  func `turned into garbage while it plays: bounded, and it goes on`(
    format: SoundFile.Format
  ) throws {
    let (host, _, path) = try playing(format)
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    let garbage = (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data(garbage))
    try handle.close()
    for _ in 0..<3 {
      #expect(host.render(frames: 960_000)[0].allSatisfy { abs($0) <= 16 })
    }
    let good = SoundFile.noise(frames: 3000, channels: 1)
    try host.setProperty("file", good.write(folder.path("good.wav")))
    _ = host.render(frames: 3000)
    #expect(firstDifference(host.render(frames: 3000)[0], good.channels[0]) == nil)
  }

  @Test func `a new file takes over without a click`() throws {
    let old = SoundFile.sine(100, frames: 48_000)
    let new = SoundFile.sine(150, frames: 44_100, sampleRate: 48_000)
    let host = try makePlayer(old.write(folder.path("old.wav")), channels: 1)
    var output = host.render(frames: 10_120, blockSizes: [64])[0]  // in mid-swing
    try host.setProperty("file", new.write(folder.path("new.wav")))
    output += host.render(frames: 44_100, blockSizes: [64])[0]
    #expect(Signals.largestStep(output) < 0.03)
    #expect(
      firstDifference(output[10_500...], new.channels[0][380...].prefix(output.count - 10_500))
        == nil)
    #expect(!isOpen(folder.path("old.wav")))
    // Two in a row: only the last is heard.
    try host.setProperty("file", folder.path("old.wav"))
    try host.setProperty("file", folder.path("new.wav"))
    let again = host.render(frames: 44_100)[0]
    #expect(firstDifference(again[1000...], new.channels[0][1000...]) == nil)
    #expect(!isOpen(folder.path("old.wav")))
  }

  @Test func `files change while another thread renders`() async throws {
    let paths = try (0..<4).map {
      try SoundFile.noise(frames: 30_000, channels: 1, sampleRate: [48_000, 44_100][$0 % 2])
        .write(folder.path("\($0).wav"))
    }
    let host = try makePlayer(paths[0], channels: 1)
    // The render thread's calls are this task's alone; set_property may run beside them.
    nonisolated(unsafe) let unit = host.unit
    nonisolated(unsafe) let descriptor = host.descriptor
    let rendering = Task.detached {
      var bounded = true
      for cycle in 0..<3000 {
        let output = renderWithoutWaiting(descriptor, unit, frames: 64)
        bounded = bounded && output.allSatisfy { abs($0) <= 2 }
        if cycle % 100 == 0 { descriptor.pointee.reset(unit) }
        usleep(100)
      }
      return bounded
    }
    for turn in 0..<40 { try host.setProperty("file", paths[turn % 4]) }
    #expect(await rendering.value)
    #expect(throws: UnitHost.Refusal.self) { try host.setProperty("file", folder.path("no.wav")) }
    #expect(host.render(frames: 1000)[0].contains { $0 != 0 })
  }

  /// In freewheel the process thread waits for the file while the musician changes it. What is waited
  /// for is more than a change of file reads ahead.
  @Test(.timeLimit(.minutes(5))) func `changed while it is waited for`() throws {
    let paths = try (1...2).map { channels in
      try SoundFile.noise(frames: 50_000, channels: channels)
        .write(folder.path("\(channels).wav"))
    }
    let host = try makePlayer(paths[0], sampleRate: 44_100)
    let changing = Changing(host, paths)
    try changing.run {
      while changing.changes.load(ordering: .relaxed) < 6 {
        host.descriptor.pointee.wait_until_ready(host.unit, 100_000)
      }
    }
    _ = host.render(frames: 44_100)
    #expect(host.value("underruns") == 0)
  }
}

/// Changes a player's file over and over, on a thread of its own.
private final class Changing {
  private let host: UnitHost
  private let paths: [String]
  private let isStopping = Atomic(false)
  let changes = Atomic(0)

  init(_ host: UnitHost, _ paths: [String]) { (self.host, self.paths) = (host, paths) }

  func run(during body: () throws -> Void) throws {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let changing = Unmanaged<Changing>.fromOpaque(context).takeUnretainedValue()
        while !changing.isStopping.load(ordering: .relaxed) {
          let number = changing.changes.add(1, ordering: .relaxed).newValue
          try? changing.host.setProperty("file", changing.paths[number % 2])
        }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    guard status == 0 else { throw POSIXError(.EAGAIN) }
    defer {
      isStopping.store(true, ordering: .relaxed)
      pthread_join(thread, nil)
    }
    try body()
  }
}
