import BacklineTestSupport
import Testing
import UnitMeasurement

@Suite struct ScaleTests {
  private static let unit = BuiltInUnit("aumi/scal/bkln")

  private func host(_ parameters: [String: Float]) throws -> UnitHost {
    try Self.unit.host(parameters)
  }

  private static let names: [String] = {
    var names: [String] = []
    while let name = unit.parameters[0].value_strings[names.count] {
      names.append(String(cString: name))
    }
    return names
  }()

  /// The notes from the root on, by steps that repeat.
  private static func notes(_ steps: [Int], mode: Int = 1) -> Set<Int> {
    let turned = Array(steps[(mode - 1)...] + steps[..<(mode - 1)])
    var (notes, note) = (Set<Int>(), 0)
    while note < 12 {
      notes.insert(note)
      note += turned[(notes.count - 1) % turned.count]
    }
    return notes
  }

  /// Scales as modes of a few, and as steps that repeat.
  private static let scales: [(String, Set<Int>)] = {
    let (major, melodic) = ([2, 2, 1, 2, 2, 2, 1], [2, 1, 2, 2, 2, 2, 1])
    let harmonic = [2, 1, 2, 2, 1, 3, 1]
    let majorModes = [
      "Major", "Dorian", "Phrygian", "Lydian", "Mixolydian", "Natural Minor", "Locrian",
    ]
    let fifths = Set((0..<5).map { 7 * $0 % 12 })
    return majorModes.enumerated().map { ($0.element, notes(major, mode: $0.offset + 1)) } + [
      ("Melodic Minor", notes(melodic)), ("Dorian b2", notes(melodic, mode: 2)),
      ("Lydian Augmented", notes(melodic, mode: 3)), ("Lydian Dominant", notes(melodic, mode: 4)),
      ("Mixolydian b6", notes(melodic, mode: 5)), ("Altered", notes(melodic, mode: 7)),
      ("Harmonic Minor", notes(harmonic)), ("Ukrainian Dorian", notes(harmonic, mode: 4)),
      ("Phrygian Dominant", notes(harmonic, mode: 5)),
      ("Double Harmonic", notes([1, 3, 1, 2, 1, 3, 1])),
      ("Hungarian Minor", notes([1, 3, 1, 2, 1, 3, 1], mode: 4)),
      ("Major Pentatonic", fifths), ("Minor Pentatonic", Set(fifths.map { ($0 + 3) % 12 })),
      ("Egyptian", Set(fifths.map { ($0 + 10) % 12 })), ("Whole Tone", notes([2])),
      ("Diminished", notes([2, 1])), ("Half-Whole", notes([1, 2])), ("Augmented", notes([3, 1])),
      ("Chromatic", notes([1])),
    ]
  }()

  /// Returns the key that is sent for each key; nil for none.
  private func sent(_ host: UnitHost) -> [Int?] {
    _ = host.render(
      frames: 1280, events: (0..<128).flatMap { key(UInt8($0), 10 * $0, 10 * $0 + 5) })
    let played = Dictionary(uniqueKeysWithValues: host.played.map { ($0.start / 10, $0.note) })
    #expect(host.played.allSatisfy { $0.end == $0.start + 5 })
    return (0..<128).map { played[$0] }
  }

  @Test(arguments: scales.indices) func hasTheNotesOfTheScale(index: Int) throws {
    let (name, notes) = Self.scales[index]
    let scale = try #require(Self.names.firstIndex(of: name))
    for root in [0, 5, 11] {
      let host = try host(["scale": Float(scale), "root": Float(root), "outside": 3])
      let kept = (0..<128).map { notes.contains(($0 - root + 12) % 12) ? $0 : nil }
      #expect(sent(host) == kept, "\(name)")
    }
  }

  /// Every scale and root: by trying all notes.
  @Test(arguments: 0..<3) func movesNotesOutside(outside: Int) throws {
    for scale in stride(from: 0, to: Self.names.count, by: 5) {
      let root = scale % 12
      let kept = sent(
        try host(["scale": Float(scale), "root": Float(root), "outside": 3])
      ).compactMap { $0 }
      let expected = (0..<128).map { key -> Int? in
        let near = kept.filter { outside == 0 || (outside == 1 ? $0 >= key : $0 <= key) }
        return near.filter { abs($0 - key) < 12 }
          .min { (abs($0 - key), $0) < (abs($1 - key), $1) }
      }
      let host = try host([
        "scale": Float(scale), "root": Float(root), "outside": Float(outside),
      ])
      #expect(sent(host) == expected, "\(Self.names[scale])")
    }
  }

  @Test func anOwnScaleHasItsSemitones() throws {
    var parameters: [String: Float] = [
      "scale": Float(Self.names.count - 1), "root": 2, "outside": 3,
    ]
    for semitone in 0..<12 { parameters["own.semitone_\(semitone)"] = semitone % 5 == 1 ? 1 : 0 }
    #expect(
      sent(try host(parameters))
        == (0..<128).map { [1, 6, 11].contains(($0 + 10) % 12) ? $0 : nil })
    for semitone in 0..<12 { parameters["own.semitone_\(semitone)"] = 0 }
    parameters["outside"] = 0
    #expect(sent(try host(parameters)).allSatisfy { $0 == nil })
  }
}
