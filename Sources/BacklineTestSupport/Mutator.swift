import Foundation

/// Damages files in ways that readers must survive; the same damage for the same seed.
public struct Mutator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  private mutating func random(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(limit, 1)
  }

  /// One to four changes, half of them in the first 128 bytes, where headers are.
  public mutating func mutated(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0...random(below: 4) where !bytes.isEmpty {
      let reach = random(below: 2) == 0 ? min(128, bytes.count) : bytes.count
      let place = random(below: reach)
      switch random(below: 6) {
      case 0: bytes[place] ^= UInt8(1 << random(below: 8))
      case 1: bytes[place] = UInt8(random(below: 256))
      case 2, 3:
        // Lengths and rates are often four or eight bytes.
        let value: UInt8 = [0, 0x7F, 0x80, 0xFF][random(below: 4)]
        let size = [2, 4, 8][random(below: 3)]
        for index in place..<min(place + size, bytes.count) { bytes[index] = value }
      case 4: bytes.removeSubrange(place..<min(place + 1 + random(below: 64), bytes.count))
      default: bytes.removeSubrange(min(bytes.count, 12 + place)...)
      }
    }
    return bytes
  }
}

/// Sound files of every kind that is read, damaged.
public enum DamagedSounds {
  /// Small files, by suffix: wav, float wav, flac, ogg and a headerless one.
  public static func originals(in folder: TemporaryFolder) throws -> [[UInt8]] {
    let sound = SoundFile.noise(frames: 2000, channels: 2)
    var files = try SoundFile.Format.allCases.map { format in
      let path = try sound.write(folder.path("original"), format)
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    files.append((0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) })
    return files
  }
}
