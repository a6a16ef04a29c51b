import Documents
import RackModel
import UnitModel

struct Panic: Command {
  static let declaration = CommandDeclaration(
    "panic", "End all notes.",
    detail: """
      Held notes get their note-off; controllers 64, 120 and 123 on all channels end every other note of \
      units and MIDI outputs.
      """, lane: .gesture, access: .stage)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.engine.panic())
  }
}

struct SendMIDI: Command {
  var to = ""
  var bytes: [UInt8] = []

  static let declaration = CommandDeclaration(
    "midi", "Send a MIDI message to a MIDI input of the rack, or to a unit.",
    detail: """
      At an input it does all that a message through JACK does: it follows the cables and moves controls. \
      Notes end with the connection that sent them.
      """, examples: ["midi keys B0 07 64"], lane: .gesture, access: .stage)
  static let arguments: [CommandArgument<Self>] = [
    .required("to", \.to, .midiTarget, "The MIDI input or the unit."),
    .required("bytes", \.bytes, .value, "The message's bytes, hexadecimal: 90 3C 64.") { text in
      let words = text.split(separator: " ")
      let bytes = words.compactMap { UInt8($0, radix: 16) }
      guard !bytes.isEmpty, bytes.count == words.count else {
        throw Refusal("“bytes” must be hexadecimal, as in 90 3C 64, not “\(text)”")
      }
      return bytes
    },
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    try await session.send(midi: bytes, to: to, from: peer)
    return .done("sent to \(to)")
  }
}

struct ExpressNote: Command {
  var to = ""
  var key: UInt8 = 0
  var expression = NoteExpression.pitch
  var value: Float = 0
  /// The channel, from 1.
  var channel: UInt8 = 1

  static let declaration = CommandDeclaration(
    "express", "Move an expression of the notes of a key that is down.",
    detail:
      "Of that note alone, whatever else sounds on its channel; it lasts as long as the note.",
    examples: ["express synth C4 timbre 0.7"], lane: .gesture, access: .stage)
  static let arguments: [CommandArgument<Self>] = [
    .required("to", \.to, .midiTarget, "The unit, or a MIDI input: the units that play its notes."),
    .required("key", \.key, .text, "The key: C4 or 60.") {
      UInt8(try Quantity.parse($0, for: keyInfo, name: "key"))
    },
    .required(
      "expression", \.expression, .choice(NoteExpression.allCases.map(\.description)),
      "pitch, pressure, timbre, gain or pan."
    ) { text in NoteExpression.allCases.first { "\($0)" == text } ?? .pitch },
    .required(
      "value", \.value, .value,
      "Semitones of pitch, a factor of gain, -1 to 1 of pan, 0 to 1 of pressure and timbre."
    ) { text in
      guard let value = Float(text), value.isFinite else {
        throw Refusal("“value” must be a number, not “\(text)”")
      }
      return value
    },
    .option("channel", \.channel, .count, "1 to 16; 1 if none is given.") { text in
      guard let number = UInt8(text), (1...16).contains(number) else {
        throw Refusal("“channel” must be 1 to 16, not “\(text)”")
      }
      return number
    },
  ]

  private static let keyInfo = ParameterInfo(
    identifier: "key", name: "Key", unit: .midiNoteNumber, minimum: 0, maximum: 127,
    defaultValue: 60)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    try session.express(expression, to: value, key: key, channel: channel - 1, of: to)
    return .done("sent to \(to)")
  }
}
