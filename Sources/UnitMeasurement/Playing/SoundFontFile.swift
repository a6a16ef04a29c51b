import Foundation

/// A SoundFont of 16-bit samples that a test writes: presets of one instrument each.
package struct SoundFontFile {
  /// A generator: its number in section 8.1.3 of the specification, and its amount.
  package typealias Generator = (number: Int, amount: Int)

  /// A modulator of section 8.2 of the specification, without a second source.
  package struct Modulator {
    package var source: Int
    package var destination: Int
    package var amount: Int

    package init(source: Int, destination: Int, amount: Int) {
      (self.source, self.destination, self.amount) = (source, destination, amount)
    }
  }

  package struct Zone {
    /// The samples, within ±1.
    package var samples: [Float]
    package var loop: Range<Int>
    package var generators: [Generator]
    package var key = 60
    package var modulators: [Modulator] = []
    /// An Ogg file that replaces the samples.
    package var packed: [UInt8]?

    package init(_ samples: [Float], loop: Range<Int>, _ generators: [Generator] = []) {
      (self.samples, self.loop, self.generators) = (samples, loop, generators)
    }
  }

  package struct Preset {
    package var bank = 0
    package var program = 0
    package var zones: [Zone]
    /// The generators of the preset's own zone.
    package var generators: [Generator] = []

    package init(bank: Int = 0, program: Int = 0, zones: [Zone], generators: [Generator] = []) {
      (self.bank, self.program) = (bank, program)
      (self.zones, self.generators) = (zones, generators)
    }
  }

  package var presets: [Preset]
  package var sampleRate = 48_000

  package init(presets: [Preset]) { self.presets = presets }

  package var bytes: [UInt8] {
    var lists: [String: [UInt8]] = [:]
    var pool: [UInt8] = []
    func add(_ list: String, _ bytes: [UInt8]...) { lists[list, default: []] += bytes.joined() }
    func count(_ list: String, _ size: Int) -> Int { lists[list, default: []].count / size }
    func add(_ list: String, _ generators: [Generator]) {
      for generator in generators { add(list, word(generator.number), word(generator.amount)) }
    }
    for preset in presets {
      add(
        "phdr", name("preset"), word(preset.program), word(preset.bank), word(count("pbag", 4)),
        [UInt8](repeating: 0, count: 12))
      add("pbag", word(count("pgen", 4)), word(0))
      add("pgen", preset.generators + [(41, count("inst", 22))])
      add("inst", name("instrument"), word(count("ibag", 4)))
      for zone in preset.zones {
        let start = zone.packed == nil ? pool.count / 2 : pool.count
        if let packed = zone.packed {
          pool += packed
        } else {
          for sample in zone.samples { pool += word(Int((sample * 32_767).rounded())) }
        }
        let end = zone.packed == nil ? pool.count / 2 : pool.count
        // Loop points of packed samples count from the start of the samples.
        let origin = zone.packed == nil ? start : 0
        add("ibag", word(count("igen", 4)), word(count("imod", 10)))
        for modulator in zone.modulators {
          add(
            "imod", word(modulator.source), word(modulator.destination), word(modulator.amount),
            word(0), word(0))
        }
        add("igen", zone.generators + [(53, count("shdr", 46))])
        add(
          "shdr", name("sample"), double(start), double(end),
          double(origin + zone.loop.lowerBound), double(origin + zone.loop.upperBound),
          double(sampleRate), [UInt8(zone.key), 0], word(0), word(zone.packed == nil ? 1 : 0x11))
        pool += [UInt8](repeating: 0, count: 92 + pool.count % 2)
      }
    }
    add(
      "phdr", name("EOP"), word(0), word(0), word(count("pbag", 4)),
      [UInt8](repeating: 0, count: 12))
    add("pbag", word(count("pgen", 4)), word(0))
    add("pgen", [(0, 0)])
    add("inst", name("EOI"), word(count("ibag", 4)))
    add("ibag", word(count("igen", 4)), word(count("imod", 10)))
    add("igen", [(0, 0)])
    add("shdr", name("EOS"), [UInt8](repeating: 0, count: 26))
    for list in ["pmod", "imod"] { add(list, [UInt8](repeating: 0, count: 10)) }
    let records = ["phdr", "pbag", "pmod", "pgen", "inst", "ibag", "imod", "igen", "shdr"]
      .flatMap { chunk($0, lists[$0] ?? []) }
    return chunk(
      "RIFF",
      Array("sfbk".utf8) + chunk("LIST", Array("INFO".utf8) + chunk("ifil", word(2) + word(4)))
        + chunk("LIST", Array("sdta".utf8) + chunk("smpl", pool))
        + chunk("LIST", Array("pdta".utf8) + records))
  }

  private func word(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }

  private func double(_ number: Int) -> [UInt8] { word(number) + word(number >> 16) }

  private func name(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: 20 - text.utf8.count)
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + double(content.count) + content + (content.count % 2 == 0 ? [] : [0])
  }
}
