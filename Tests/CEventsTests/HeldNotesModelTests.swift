import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// After any edit while keys are held, the sounding notes are those of a simple model of the
/// cables.
@Suite struct HeldNotesModelTests {
  private static let (ports, units) = (3, 2)

  private struct Cable: Hashable {
    var port: Int
    var unit: Int
  }

  /// The sounding notes of a unit, from the events that it received.
  private struct Ear {
    private var heard: UInt32 = 0
    /// The cable, which has its port's number, and the key of each note.
    private(set) var sounding = Set<[Int]>()

    mutating func listen(to unit: OpaquePointer) {
      while heard < bl_test_event_count(unit) {
        let event = bl_test_event(unit, heard)
        heard += 1
        guard event.type == BL_EVENT_MIDI else { continue }
        let (status, key, velocity) = event.midi.bytes
        let note = [Int(event.midi.cable), Int(key)]
        if status & 0xF0 == 0x90, velocity > 0 {
          sounding.insert(note)
        } else if status & 0xE0 == 0x80 {
          sounding.remove(note)
        }
      }
    }
  }

  @Test(arguments: 0..<16 as Range<UInt64>) func theNotesAreThoseOfTheModel(seed: UInt64) throws {
    var random = Random(seed: seed)
    let host = KernelHost()
    for _ in 0..<Self.units { host.add(TestUnit.scale.descriptor) }
    let audio = (0..<Self.units).flatMap {
      [KernelHost.cable(nil, $0), KernelHost.cable($0, nil)]
    }
    var cables = Set<Cable>()
    /// The model: the keys that each cable holds.
    var held: [Cable: Set<Int>] = [:]
    var (graph, bypassed): (OpaquePointer?, Set<Int>) = (nil, [])
    var ears = [Ear](repeating: Ear(), count: Self.units)
    func play() throws {
      let midi = cables.map { KernelHost.midi(nil, $0.unit, from: $0.port, to: $0.port) }
      let next = try host.lower(audio, midi: midi, midiInputs: Self.ports, previous: graph)
      host.play(next)
      graph = next
    }
    try play()
    for edit in 0..<640 {
      var messages: [KernelHost.Message] = []
      switch Int.random(in: 0..<20, using: &random) {
      case 0...3:
        let cable = Cable(
          port: .random(in: 0..<Self.ports, using: &random),
          unit: .random(in: 0..<Self.units, using: &random))
        if cables.remove(cable) == nil { cables.insert(cable) } else { held[cable] = nil }
        try play()
      case 4:
        // Without a graph all notes end.
        host.playNothing()
        graph = nil
        held = [:]
        if Bool.random(using: &random) { host.receiveCommands() }
        try play()
      case 5, 6:
        let unit = Int.random(in: 0..<Self.units, using: &random)
        let bypasses = bypassed.remove(unit) == nil
        if bypasses {
          bypassed.insert(unit)
          for cable in cables where cable.unit == unit { held[cable] = nil }
        }
        host.send(BL_COMMAND_SET_BYPASS, to: unit) { $0.bypassed = bypasses }
      case 7:
        host.send(BL_COMMAND_PANIC, to: 0) { _ in }
        held = [:]
      default: break
      }
      // Press and release keys after the edit.
      for frame in [3, 3, 40] {
        let port = Int.random(in: 0..<Self.ports, using: &random)
        let key = Int.random(in: 60..<66, using: &random)
        let begins = Bool.random(using: &random)
        messages.append(.init([begins ? 0x90 : 0x80, UInt8(key), 64], at: frame, port: port))
        for cable in cables where cable.port == port {
          if begins { held[cable, default: []].insert(key) } else { held[cable]?.remove(key) }
        }
      }
      _ = host.render([[Float](repeating: 0, count: 64)], frames: 64, midi: messages)
      for unit in 0..<Self.units {
        ears[unit].listen(to: host.units[unit])
        let expected = Set(
          held.filter { $0.key.unit == unit }.flatMap { cable, keys in
            keys.map { [cable.port, $0] }
          })
        try #require(ears[unit].sounding == expected, "edit \(edit), unit \(unit)")
      }
    }
  }
}
