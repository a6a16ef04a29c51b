import BacklineTestSupport
import Testing

/// A parameter that is set between two cycles acts from the next cycle on, like an event at its first
/// frame.
@Suite struct SetWhileIdleTests {
  struct Change: CustomTestStringConvertible, Sendable {
    var unit: String
    var parameters: [String: Float] = [:]
    var identifier: String
    var value: Float
    /// What happens in the half second before.
    var events: @Sendable (UnitHost) -> [UnitHost.Event] = { _ in [] }

    var testDescription: String { "\(unit) \(identifier)" }
  }

  private static let chord: @Sendable (UnitHost) -> [UnitHost.Event] = { _ in
    [48, 52, 55, 58, 62].map { .on($0) } + [.off(62, at: 20_000)]
  }
  private static let pedal: @Sendable (UnitHost) -> [UnitHost.Event] = { _ in
    [.midi([0xB0, 64, 127], at: 100)]
  }
  private static let ratio: @Sendable (UnitHost) -> [UnitHost.Event] = { host in
    [.knob(host.address("ratio"), 20, frames: 96_000, at: 0)]
  }

  static let changes = [
    Change(unit: "aufx/cabn/bkln", parameters: ["blend": 100], identifier: "invert", value: 1),
    Change(
      unit: "aufx/cmpr/bkln", parameters: ["threshold": -40], identifier: "ratio", value: 1.5,
      events: ratio),
    Change(unit: "aumu/smpl/bkln", identifier: "release", value: 10, events: chord),
    Change(unit: "aumu/poly/bkln", identifier: "voices", value: 2, events: chord),
    Change(
      unit: "aumu/poly/bkln", parameters: ["mode": 1], identifier: "mode", value: 2, events: chord),
    Change(unit: "aumu/fmop/bkln", identifier: "voices", value: 2, events: chord),
    Change(
      unit: "aumi/arpg/bkln", parameters: ["latch": 1], identifier: "latch", value: 0, events: chord
    ),
    Change(unit: "aumi/clok/bkln", identifier: "source", value: 1),
    Change(unit: "aumi/mflt/bkln", identifier: "to_channel", value: 5, events: pedal),
    Change(
      unit: "aumi/lfcc/bkln", parameters: ["controller": 64, "shape": 0], identifier: "controller",
      value: 1),
  ]

  enum Way { case never, idle, event }

  /// The sound and the messages of the second after a change; the sound from the end of a fade on.
  private func outcome(_ change: Change, _ way: Way) throws -> (sound: [Float], sent: [Sent]) {
    let folder = try TemporaryFolder()
    var properties: [String: String] = [:]
    if change.unit == "aufx/cabn/bkln" {
      for name in ["a", "b"] {
        properties[name] = try SoundFile.noise(frames: 500, channels: 1)
          .write(folder.path("\(name).wav"))
      }
    } else if change.unit == "aumu/smpl/bkln" {
      properties["file"] = try folder.write(
        "sine.sfz", bytes: Array("<region> sample=*sine ampeg_release=1".utf8))
    }
    let host = try UnitHost(
      BuiltInUnit(change.unit).descriptor, properties: properties, parameters: change.parameters)
    host.roll(tempo: 120)
    let sine = Signals.sine(frequency: 440, frames: 48_128)
    let inputs = change.unit.hasPrefix("aufx") ? [[sine, sine]] : []
    _ = host.render(inputs: inputs, frames: 24_064, events: change.events(host))
    let before = host.list.count
    if way == .idle { host.set(change.identifier, change.value) }
    var events: [UnitHost.Event] = []
    if way == .event {
      events.append(.parameter(host.address(change.identifier), change.value, at: 0))
    }
    // A key that is let go shows which are still held.
    if inputs.isEmpty { events.append(.off(58, at: 12_000)) }
    let output = host.render(inputs: inputs, frames: 48_128, events: events)
    return (Array(output.first?.dropFirst(1500) ?? []), Array(host.list.dropFirst(before)))
  }

  @Test(arguments: changes) func actsFromTheNextCycleOn(_ change: Change) throws {
    let (never, idle, event) = try (
      outcome(change, .never), outcome(change, .idle), outcome(change, .event)
    )
    #expect(idle.sent == event.sent)
    #expect(zip(idle.sound, event.sound).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(
      never.sent != event.sent || zip(never.sound, event.sound).contains { abs($0 - $1) > 1e-3 })
  }
}
