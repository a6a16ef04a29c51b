import Documents

extension Check {
  static let midiGarbage = Check("midi-garbage", "outlives whatever comes over MIDI") { subject in
    guard subject.facts.hasMIDIInput else { return .notApplicable("it takes no MIDI") }
    let kinds = garbage(frames: 6000)
    for (kind, events) in kinds {
      subject.report(kind)
      let host = try subject.host()
      try subject.requireFinite(subject.noise(6000, events: events), with: host, "after \(kind)")
      host.reset()
      try subject.requireFinite(
        subject.noise(2000, events: subject.notes(2000)), with: host, "after \(kind) and a reset")
    }
    return .pass(numbered(kinds.count, "kind"))
  }

  private static func garbage(frames: Int) -> [(String, [UnitEvent])] {
    var random = SeededGenerator(seed: 3)
    func byte(_ range: ClosedRange<UInt8> = 0...255) -> UInt8 {
      .random(in: range, using: &random)
    }
    func frame() -> Int { .random(in: 0..<frames, using: &random) }
    let bytes = (0..<600).map { _ in
      let length = Int.random(in: 1...3, using: &random)
      return UnitEvent.midi((0..<length).map { _ in byte() }, cable: byte(), at: frame())
    }
    let running = (0..<200).map { _ in
      UnitEvent.midi([byte(0...127), byte(0...127)], at: frame())
    }
    let short = (0x80...0xFF).map { UnitEvent.midi([UInt8($0)], at: frame()) }
    let exclusives: [[UInt8]] = [
      [0xF0, 0xF7], [0xF0], [0xF7], [0xF0, 0x7E, 0x7F, 0x09, 0x01],
      [0xF0] + [UInt8](repeating: 0x55, count: 60_000) + [0xF7], (0..<300).map { _ in byte() },
    ]
    let exclusive = exclusives.map { UnitEvent(.systemExclusive($0, cable: byte()), at: frame()) }
    let flood = (0..<20_000).map { index in
      UnitEvent.midi(
        [index % 3 == 2 ? 0x80 : 0x90 | UInt8(index % 16), byte(0...127), byte(0...127)],
        at: index / 10 % frames)
    }
    let controllers = (0..<2000).map { index in
      UnitEvent.midi([0xB0 | UInt8(index % 16), UInt8(index % 128), byte(0...127)], at: frame())
    }
    return [
      ("random bytes", bytes), ("data bytes without a status", running),
      ("messages cut short", short), ("system exclusive", exclusive),
      ("a flood of notes", flood), ("every controller", controllers),
    ]
  }

  /// A note whose gain is 0 from its start must be inaudible; one with a gain must be audible.
  static let expressions = Check(
    "note-expressions", "lets single notes express what they are told"
  ) { subject in
    guard subject.facts.followsExpressions else { return .notApplicable("it has no expressions") }
    /// - Parameters:
    ///   - note: the identifier of the expression's note; 0 stands for the first key.
    ///   - keys: the keys to play; the first has the identifier 7.
    func peak(gain: Float, note: UInt32 = 7, keys: [UInt8] = [60]) throws -> Float {
      let notes = keys.enumerated().map {
        UnitEvent(.note(UInt32(7 + $0.offset), key: $0.element, velocity: 100), at: 100)
      }
      let move = UnitEvent(.expression(.gain, gain, note: note, key: 60), at: 100)
      let job = subject.job(48_000, events: notes + [move]) { _, _ in }
      return try subject.render(job).outputs.map { $0.peak(from: 4800) }.max() ?? 0
    }
    let loud = try peak(gain: 1)
    if loud < 1e-4 { return .notApplicable("a note is not heard") }
    if try peak(gain: 0) > 1e-3 * loud { throw Fault("a note with a gain of 0 is heard") }
    if try peak(gain: 0, note: 0) > 1e-3 * loud {
      throw Fault("a note with a gain of 0 is heard, which its key and no identifier names")
    }
    if try peak(gain: 0, keys: [60, 67]) < 0.1 * loud {
      throw Fault("another note than the one with a gain of 0 is not heard")
    }
    return .pass()
  }

  static let midiOutput = Check("midi-output", "sends whole messages, in order") { subject in
    let rendering = try subject.render(subject.noise(48_000, events: subject.events(48_000)))
    let faults = rendering.faults.intersection(.midi)
    if !faults.isEmpty { throw Fault(faults.sentences.joined(separator: "; ")) }
    return subject.facts.midiOutputNames.isEmpty
      ? .notApplicable("it sends no MIDI") : .pass(numbered(rendering.sentMIDI.count, "message"))
  }
}
