import BacklineTestSupport
import Glibc
import SoundFiles

/// Damaged sound files, read as inputs of a rendering and by the player unit: a trap ends the program.
enum SoundSoak {
  private static let files = 50_000

  static func run() throws {
    let folder = try TemporaryFolder()
    let originals = try DamagedSounds.originals(in: folder)
    var mutator = Mutator(seed: UInt64(time(nil)))
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    defer { memory.deallocate() }
    var refused = 0
    for turn in 0..<files {
      let path = try folder.write(
        "damaged", bytes: mutator.mutated(originals[turn % originals.count]))
      do {
        let reader = try SoundFileReader(path: path, sampleRate: 48_000)
        try reader.read(into: [memory][...], frames: 4096)
      } catch { refused += 1 }
      let player = BuiltInUnit("augn/play/bkln").descriptor
      _ = try? UnitHost(player, outputChannels: [2], properties: ["file": path]).render(frames: 512)
    }
    var table = Table(title: "\(files) damaged sound files", unit: "count", reference: "files")
    table.rows.append(.init("refused", ours: Double(refused), reference: Double(files)))
    try table.show()
  }
}
