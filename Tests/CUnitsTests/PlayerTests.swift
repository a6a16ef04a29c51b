import BacklineTestSupport
import CUnit
import CUnits
import Foundation
import Testing

var playerDescriptor: UnsafePointer<bl_unit_descriptor> {
  let library = bl_built_in_units().pointee
  return (0..<Int(library.unit_count)).lazy.compactMap { library.units[$0] }
    .first { String(cString: $0.pointee.name) == "Player" }!
}

func makePlayer(
  _ path: String, sampleRate: Double = 48_000, channels: Int = 2, parameters: [String: Float] = [:]
) throws -> UnitHost {
  try UnitHost(
    playerDescriptor, sampleRate: sampleRate, outputChannels: [channels],
    properties: ["file": path], parameters: parameters)
}

/// `samples` over and over, from `first` on.
func looped(_ samples: [Float], from first: Int = 0, frames: Int) -> [Float] {
  (0..<frames).map { samples[(first + $0) % samples.count] }
}

struct PlayerTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Short files are kept in memory, longer ones are read from the disk lap by lap.
  @Test(arguments: SoundFile.Format.allCases, [1, 700, 40_000])
  func `plays every frame of every lap`(format: SoundFile.Format, length: Int) throws {
    guard format != .vorbis || length > 1 else { return }
    var file = SoundFile.noise(frames: length, channels: 2)
    if format == .vorbis { file = .sine(480, frames: length, channels: 2) }
    let path = try file.write(folder.path("sound"), format)
    let read = try SoundFile(reading: path)
    let output = try makePlayer(path).render(frames: 100_000)
    for channel in 0...1 {
      #expect(
        firstDifference(output[channel], looped(read.channels[channel], frames: 100_000)) == nil)
      let distance = zip(read.channels[channel], file.channels[channel]).map { abs($0 - $1) }.max()
      #expect(distance! <= format.tolerance)
    }
  }

  @Test(arguments: [44_100.0, 48_000])
  func `does not depend on the block size`(rate: Double) throws {
    let path = try SoundFile.noise(frames: 20_001, channels: 2).write(folder.path("noise.wav"))
    let events: [UnitHost.Event] = [
      .parameter(0, -12, ramp: 3000, at: 1000), .parameter(1, 0, at: 7001),
      .parameter(1, 1, at: 7100), .parameter(1, 0, at: 9000), .parameter(1, 1, at: 12_345),
      .parameter(2, 0, at: 15_000), .parameter(1, 0, at: 27_000), .parameter(1, 1, at: 27_001),
      .parameter(2, 1, at: 30_000),
    ]
    let expected = try makePlayer(path, sampleRate: rate).render(
      frames: 60_000, blockSizes: [4096], events: events)
    for blocks in [[1], [17], [64], [480], [1024], [3, 500, 1]] {
      let memory: UnitHost.OutputMemory = blocks == [64] ? .null : .separate
      let output = try makePlayer(path, sampleRate: rate).render(
        frames: 60_000, blockSizes: blocks, events: events, memory: memory)
      #expect(firstDifference(output, expected) == nil, "blocks of \(blocks)")
    }
  }

  /// The lap holds whole periods, so a seamless loop is one long sine: any frame missing, doubled
  /// or late would show in the residual or the phase.
  @Test(
    arguments: [(44_100, 48_000), (48_000, 44_100), (22_050, 96_000), (96_000, 48_000)],
    [441 * 7, 441 * 100])
  func `resamples a loop to one pure sine`(rates: (Int, Int), length: Int) throws {
    let (fileRate, hostRate) = rates
    let frequency = 21 * Double(fileRate) / 441
    let path = try SoundFile.sine(frequency, frames: length, sampleRate: fileRate)
      .write(folder.path("sine.wav"))
    let host = try makePlayer(path, sampleRate: Double(hostRate), channels: 1)
    let output = host.render(frames: 4 * hostRate)[0]
    // Before its first frame a file is silence, and a sine that sets in is not pure.
    let settled = hostRate / 50
    let fit = SineFit(
      output[settled...], frequency: frequency, sampleRate: Double(hostRate))
    let phase = 2 * Double.pi * frequency * Double(settled) / Double(hostRate)
    #expect(abs(fit.amplitude - 0.5) < 0.5e-4)
    #expect(fit.residual < 0.5e-5)
    #expect(abs(remainder(fit.phase - phase, 2 * .pi)) < 1e-4)
  }

  @Test func `an impulse comes out when it is due`() throws {
    var impulse = [Float](repeating: 0, count: 44_100)
    impulse[22_050] = 1
    let path = try SoundFile(sampleRate: 44_100, channels: [impulse]).write(folder.path("i.wav"))
    let output = try makePlayer(path, channels: 1).render(frames: 48_000)[0]
    let peak = output.indices.max { output[$0] < output[$1] }
    #expect(peak == 24_000)
    for distance in 1...60 {
      #expect(abs(output[24_000 - distance] - output[24_000 + distance]) < 1e-5)
    }
  }

  @Test(arguments: [(1, 1), (1, 2), (1, 5), (2, 1), (2, 2), (2, 4), (6, 2), (6, 1), (32, 32)])
  func `spreads and folds channels`(counts: (Int, Int)) throws {
    let (inFile, inBus) = counts
    let file = SoundFile.noise(frames: 3000, channels: inFile)
    let output = try makePlayer(file.write(folder.path("c.wav")), channels: inBus)
      .render(frames: 3000)
    for channel in 0..<inBus {
      for frame in 0..<3000 {
        let all = file.channels.map { $0[frame] }
        let expected: Float =
          if inFile == 1 {
            all[0]
          } else if inBus == 1 {
            all.reduce(0, +) / Float(inFile)
          } else {
            channel < inFile ? all[channel] : 0
          }
        guard abs(output[channel][frame] - expected) < 1e-6 else {
          Issue.record("channel \(channel) frame \(frame)")
          return
        }
      }
    }
  }

  @Test func `level is in decibels and ramps`() throws {
    let path = try SoundFile(
      sampleRate: 48_000, channels: [[Float](repeating: 0.5, count: 1000)]
    ).write(folder.path("dc.wav"))
    let host = try makePlayer(path, channels: 1, parameters: ["level": -6])
    let ramp = UnitHost.Event.parameter(host.address("level"), -36, ramp: 1000, at: 500)
    let output = host.render(frames: 2000, events: [ramp])[0]
    for frame in output.indices {
      let level = -6 - 30 * Double(min(max(frame - 500, 0), 1000)) / 1000
      #expect(abs(Double(output[frame]) / (0.5 * pow(10, level / 20)) - 1) < 1e-5)
    }
    host.set("level", -96)
    #expect(host.render(frames: 100)[0].allSatisfy { $0 == 0 })
  }

  @Test func `stops and goes on where it stood, without a click`() throws {
    let file = SoundFile.sine(100, frames: 48_000)
    let host = try makePlayer(file.write(folder.path("s.wav")), channels: 1)
    let playing = host.address("playing")
    let output = host.render(
      frames: 48_000,
      events: [.parameter(playing, 0, at: 10_120), .parameter(playing, 1, at: 20_000)])[0]
    #expect(firstDifference(output[..<10_120], file.channels[0][..<10_120]) == nil)
    let fade = output[10_120...].firstIndex { $0 == 0 }! - 10_120
    #expect((200..<300).contains(fade))
    #expect(output[(10_120 + fade)..<20_000].allSatisfy { $0 == 0 })
    // The file moved on during the fade, and no further.
    #expect(output[21_000] == file.channels[0][10_120 + fade + 1000])
    // A step of the sine is 0.0066; of a cut it would be up to 0.5.
    #expect(Signals.largestStep(output) < 0.01)
  }

  @Test(arguments: [48_000, 44_100])
  func `plays once when it does not loop, and again when asked`(fileRate: Int) throws {
    let file = SoundFile.noise(frames: fileRate / 2, channels: 1, sampleRate: fileRate)
    let host = try makePlayer(
      file.write(folder.path("once.wav")), channels: 1, parameters: ["loop": 0])
    let playing = host.address("playing")
    let output = host.render(
      frames: 100_000,
      events: [.parameter(playing, 0, at: 30_000), .parameter(playing, 1, at: 40_000)])[0]
    #expect(output[..<23_000].contains { abs($0) > 0.1 })
    #expect(output[24_000..<40_000].allSatisfy { $0 == 0 })
    #expect(output[64_000...].allSatisfy { $0 == 0 })
    if fileRate == 48_000 {
      #expect(firstDifference(output[..<24_000], file.channels[0]) == nil)
      #expect(firstDifference(output[40_000..<64_000], file.channels[0]) == nil)
    } else {
      // The second time the resampler comes from the seam, not from silence.
      let distance = zip(output[500..<24_000], output[40_500..<64_000]).map { abs($0 - $1) }.max()
      #expect(distance! < 1e-5)
      #expect(abs(output[23_999]) < 0.02)
    }
  }

  /// At the end, also within a cycle; a press in the same cycle starts it again.
  @Test func `switches itself off at its end`() throws {
    let file = SoundFile.noise(frames: 5000, channels: 1)
    let path = try file.write(folder.path("once.wav"))
    for blocks in [[4096], [64], [3000, 1, 700]] {
      let host = try makePlayer(path, channels: 1, parameters: ["loop": 0])
      let playing = host.address("playing")
      _ = host.render(frames: 4999, blockSizes: blocks)
      #expect(host.value("playing") == 1)
      _ = host.render(frames: 1, blockSizes: blocks)
      #expect(host.value("playing") == 0)
      // The loop alone does not start it.
      let loops = UnitHost.Event.parameter(host.address("loop"), 1, at: 0)
      #expect(
        host.render(frames: 3000, blockSizes: blocks, events: [loops])[0].allSatisfy { $0 == 0 })
      let output = host.render(
        frames: 6000, blockSizes: blocks, events: [.parameter(playing, 1, at: 100)])[0]
      #expect(output[..<100].allSatisfy { $0 == 0 })
      #expect(firstDifference(output[100..<5100], file.channels[0]) == nil)
      #expect(host.value("playing") == 1)
    }
  }

  @Test func `begins silently where it is switched off`() throws {
    let file = SoundFile.noise(frames: 5000, channels: 1)
    let host = try makePlayer(
      file.write(folder.path("off.wav")), channels: 1, parameters: ["playing": 0])
    let start = UnitHost.Event.parameter(host.address("playing"), 1, at: 777)
    let output = host.render(frames: 5777, events: [start])[0]
    #expect(output[..<777].allSatisfy { $0 == 0 })
    #expect(firstDifference(output[777...], file.channels[0]) == nil)
  }

  @Test(arguments: [48_000.0, 44_100])
  func `starts again after a reset`(rate: Double) throws {
    let path = try SoundFile.noise(frames: 90_000, channels: 2).write(folder.path("noise.wav"))
    let host = try makePlayer(path, sampleRate: rate)
    let fresh = host.render(frames: 70_000)
    for frames in [1, 100_000, 3] {
      host.reset()
      host.reset()
      #expect(firstDifference(host.render(frames: 70_000), fresh) == nil)
      _ = host.render(frames: frames)
    }
  }

  @Test func `keeps the time when frames come late`() throws {
    // Each frame is its own number.
    let ramp = (0..<500_000).map { Float($0 + 1) / 1_048_576 }
    let path = try SoundFile(sampleRate: 48_000, channels: [ramp]).write(folder.path("ramp.wav"))
    let host = try makePlayer(path, channels: 1)
    var gaps = 0
    host.descriptor.pointee.wait_until_ready?(host.unit, 48_000)
    for _ in 0..<3 {
      host.reset()
      let before = host.value("underruns")
      var output: [Float] = []
      while output.count < 200_000 { output += renderWithoutWaiting(host, frames: 4096) }
      // How the file begins is there at once.
      #expect(firstDifference(output.prefix(20_000), ramp[..<20_000]) == nil)
      if output.contains(0) { gaps += 1 }
      let late = host.value("underruns") - before
      #expect((late > 0) == output.contains(0))
      host.descriptor.pointee.wait_until_ready?(host.unit, 4096)
      output += renderWithoutWaiting(host, frames: 4096)
      // Never ahead, never behind: what sounds is this frame's or less of it.
      for frame in output.indices where output[frame] > ramp[frame] * 1.0001 {
        Issue.record("frame \(frame) is \(output[frame])")
        return
      }
      #expect(firstDifference(output.suffix(3000), ramp[..<output.count].suffix(3000)) == nil)
    }
    #expect(gaps > 0)
  }

  @Test func `without a file it is silent`() throws {
    let host = try UnitHost(playerDescriptor)
    #expect(host.render(frames: 1000).joined().allSatisfy { $0 == 0 })
  }
}

/// As a live host does, which has no time to wait.
func renderWithoutWaiting(_ host: UnitHost, frames: Int) -> [Float] {
  renderWithoutWaiting(host.descriptor, host.unit, frames: frames)
}

func renderWithoutWaiting(
  _ descriptor: UnsafePointer<bl_unit_descriptor>, _ unit: OpaquePointer, frames: Int
) -> [Float] {
  [Float](unsafeUninitializedCapacity: frames) { memory, count in
    var pointers: [UnsafeMutablePointer<Float>?] = [memory.baseAddress]
    var timestamp = bl_timestamp(sample_time: 0)
    var host = bl_render_host()
    host.size = UInt32(MemoryLayout<bl_render_host>.size)
    let status = pointers.withUnsafeMutableBufferPointer { pointers in
      var output = bl_buffers(channel_count: 1, channels: pointers.baseAddress)
      return descriptor.pointee.render(
        unit, 0, &timestamp, UInt32(frames), 0, &output, nil, &host)
    }
    precondition(status == BL_OK)
    count = frames
  }
}
