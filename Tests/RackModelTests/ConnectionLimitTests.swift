import Documents
import Testing

@testable import RackModel

/// Limits of a connection to channels and keys.
struct ConnectionLimitTests {
  private func check(
    _ connections: String, controls: String = "[]"
  ) -> (plan: Plan?, messages: [String]) {
    let (plan, diagnostics) = PlanTests.check(
      """
      rack: Split
      inputs: { pair: { channels: 2 }, keys: { midi: true } }
      outputs: { main: }
      units:
        one: { unit: aumu/sine/bkln }
        two: { unit: aumu/sine/bkln }
        tone: { unit: aufx/gain/bkln }
      connections: [ \(connections) ]
      controls: \(controls)
      """)
    return (plan, diagnostics.filter { $0.severity == .error }.map(\.description))
  }

  @Test func aSplitIsALineEach() throws {
    let (plan, messages) = check(
      """
      keys notes ..B3 -> one -> main, keys channel 2 notes C4.. -> two -> main,
      keys notes C#2..60 -> two
      """)
    #expect(messages.isEmpty)
    #expect(
      try #require(plan).midiCables.map(\.filter) == [
        MIDIFilter(notes: 0...59), MIDIFilter(channel: 2, notes: 60...127),
        MIDIFilter(notes: 37...60),
      ])
  }

  @Test func oneChannelOfAPortAndOfAUnit() throws {
    let (plan, messages) = check(
      "pair.2 -> tone -> main.1, one channel 2 -> main channel 2, keys -> one")
    #expect(messages.isEmpty)
    let cables = try #require(plan).cables
    #expect(cables.map(\.sourceChannel) == [2, nil, 2])
    #expect(cables.map(\.destinationChannel) == [nil, 1, 2])
    #expect(plan?.units.last?.inputChannelCounts == [1])
  }

  @Test(arguments: [
    ("keys notes C4..B3 -> one -> main", "the lower key comes first; did you mean “notes B3..C4”?"),
    ("keys notes H4.. -> one -> main", "H4"),
    ("keys channel 17 -> one -> main", "“keys” has channels 1 to 16, not 17"),
    ("pair channel 3 -> tone -> main", "“pair” has channels 1 to 2, not 3"),
    ("pair notes C3.. -> tone -> main", "this cable carries audio, which has no notes"),
    ("one channel 3 -> main", "“one” gives channels 1 to 2, not 3"),
    ("pair -> main channel 1", "write “pair channel 1” for one of them"),
    ("pair -> tone channel 1", "channels and notes are chosen before an arrow"),
    ("one.2 -> main", "a channel is written “one channel 2”"),
    ("keys.2 -> one -> main", "has no busses"),
  ]) func whatIsWrongIsSaid(chain: String, message: String) {
    let messages = check(chain).messages
    #expect(messages.contains { $0.contains(message) }, "\(messages)")
    #expect(messages.allSatisfy { $0.contains("rack.yaml:8:") || !$0.contains(message) })
  }

  @Test func controlsCallCommands() throws {
    let (plan, messages) = check(
      "keys -> one -> main",
      controls: """

          - { from: keys program 1, to: next song }
          - { from: keys program 2, to: previous song }
          - { from: keys program 3, to: song 3 }
          - { from: keys cc 119, to: panic }
          - { from: keys cc 118, to: record }
          - { from: keys cc 64, to: tap }
        """)
    #expect(messages.isEmpty)
    let called = plan?.controls.map { control in
      guard case .command(let call) = control.action else { return "\(control.action)" }
      return "\(call.form.word) \(call.arguments.values.joined())"
    }
    #expect(called == ["next ", "previous ", "song 3", "panic", "record toggle", "tap"])
    let wrong = check("keys -> one -> main", controls: "[ { from: keys cc 1, to: panik } ]")
    #expect(wrong.messages.first?.contains("did you mean “panic”?") == true)
  }
}
