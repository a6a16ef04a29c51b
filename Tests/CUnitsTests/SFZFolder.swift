import BacklineTestSupport
import Foundation

/// SFZ files beside three sounds, and the sampler that plays them.
struct SFZFolder {
  let unit = BuiltInUnit("aumu/smpl/bkln")
  let folder: TemporaryFolder
  /// A region that goes round `sine.wav`.
  static let looped =
    "<region> sample=sine.wav loop_mode=loop_continuous loop_start=0 loop_end=9599"

  /// `sine.wav`: 500 Hz, 100 periods; `ones.wav`: a second of 0.5; `steps.wav`: 0, 1, 2 … 999
  /// thousandths.
  init() throws {
    folder = try TemporaryFolder()
    _ = try SoundFile.sine(500, frames: 9600).write(folder.path("sine.wav"))
    let ones = Signals.constant(0.5, frames: 48_000)
    _ = try SoundFile(sampleRate: 48_000, channels: [ones]).write(folder.path("ones.wav"))
    let steps = (0..<1000).map { Float($0) / 1000 }
    _ = try SoundFile(sampleRate: 48_000, channels: [steps]).write(folder.path("steps.wav"))
  }

  func host(
    _ text: String, channels: Int = 1, _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let file = try folder.write("instrument.sfz", bytes: Array(text.utf8))
    return try UnitHost(
      unit.descriptor, outputChannels: [channels], properties: ["file": file],
      parameters: parameters)
  }

  /// Has a host play another file.
  func load(_ text: String, into host: UnitHost) throws {
    try host.setProperty("file", folder.write("other.sfz", bytes: Array(text.utf8)))
  }

  func play(
    _ text: String, frames: Int, _ events: [UnitHost.Event], _ parameters: [String: Float] = [:]
  ) throws -> [Float] {
    try host(text, parameters).render(frames: frames, events: events)[0]
  }
}
