import Documents
import RackEngine
import RackModel
import SoundFiles
import UnitModel

extension CommandDeclaration {
  /// Commands that change nothing in the rack, and are not undone: to JACK's transport, the tempo, recordings
  /// and the picture.
  static let engineCommands = [
    CommandDeclaration(
      "layout", "Move a box of the drawn graph.",
      [
        .optional("name", .unit, "The unit or the port."),
        .option("x", .count, "Its left edge, as `picture` has it."),
        .option("y", .count, "Its upper edge."),
        .option("reset", .flag, "Back to where it is drawn by itself; without a name, all boxes."),
      ],
      detail: "The places are the user's, kept by the rack file's path, and no part of the file.",
      examples: ["layout echo --x 120 --y 40", "layout --reset"]
    ) { arguments in
      let name = arguments.text("name")
      if arguments.flag("reset") == true { return .layout(name, at: nil) }
      guard let name, let x = arguments.count("x"), let y = arguments.count("y") else {
        throw Refusal("“layout” needs “name”, “x” and “y”, or “reset”")
      }
      guard (0...BoxPlace.furthest).contains(x), (0...BoxPlace.furthest).contains(y) else {
        throw Refusal("“x” and “y” must be 0 to \(BoxPlace.furthest)")
      }
      return .layout(name, at: BoxPlace(x: Double(x), y: Double(y)))
    },
    CommandDeclaration(
      "tempo", "Set the tempo, or print it.",
      [.optional("value", .value, "Beats per minute: 120, 97.5 bpm.")]
    ) { .tempo($0.text("value")) },
    CommandDeclaration("tap", "Tap the tempo; the second tap sets it.") { _ in .tap },
    CommandDeclaration(
      "panic", "End all notes.",
      detail: """
        Held notes get their note-off; controllers 64, 120 and 123 on all channels end every other note of \
        units and MIDI outputs.
        """
    ) { _ in .panic },
    CommandDeclaration(
      "midi", "Send a MIDI message to a MIDI input of the rack, or to a unit.",
      [
        .required("to", .midiTarget, "The MIDI input or the unit."),
        .required("bytes", .value, "The message's bytes, hexadecimal: 90 3C 64."),
      ],
      detail: """
        At an input it does all that a message through JACK does: it follows the cables and moves controls. \
        Notes end with the connection that sent them.
        """, examples: ["midi keys B0 07 64"]
    ) { .midi(try bytes($0["bytes"]), to: $0["to"]) },
    CommandDeclaration(
      "express", "Move an expression of the notes of a key that is down.",
      [
        .required("to", .midiTarget, "The unit, or a MIDI input: the units that play its notes."),
        .required("key", .text, "The key: C4 or 60."),
        .required(
          "expression", .choice(NoteExpression.allCases.map(\.description)),
          "pitch, pressure, timbre, gain or pan."),
        .required(
          "value", .value,
          "Semitones of pitch, a factor of gain, -1 to 1 of pan, 0 to 1 of pressure and timbre."),
        .option("channel", .count, "1 to 16; 1 if none is given."),
      ],
      detail:
        "Of that note alone, whatever else sounds on its channel; it lasts as long as the note.",
      examples: ["express synth C4 timbre 0.7"]
    ) { arguments in
      guard
        let expression = NoteExpression.allCases.first(where: { "\($0)" == arguments["expression"] }
        ),
        let value = Float(arguments["value"]), value.isFinite
      else { throw Refusal("“value” must be a number, not “\(arguments["value"])”") }
      let channel = arguments.text("channel") ?? "1"
      guard let number = Double(channel).flatMap({ UInt8(exactly: $0) }), (1...16).contains(number)
      else { throw Refusal("“channel” must be 1 to 16, not “\(channel)”") }
      let key = try Quantity.parse(arguments["key"], for: expressedKey, name: "key")
      return .express(
        expression, value: value, key: UInt8(key), channel: number - 1, to: arguments["to"])
    },
    CommandDeclaration(
      "restart", "Restart the process of a unit.",
      [.required("unit", .unit, "A unit that runs in a process of its own.")],
      detail: "Also if the unit was given up after repeated crashes."
    ) { .restart(unit: $0["unit"]) },
    CommandDeclaration("play", "Start JACK's transport.") { _ in .play },
    CommandDeclaration("stop", "Stop JACK's transport.") { _ in .stop },
    CommandDeclaration(
      "locate", "Move JACK's transport to a time.",
      [.required("to", .value, "From the beginning: 0, 12.5 s, 1:30.")]
    ) {
      .locate(seconds: Double(try Quantity.parse($0["to"], for: transportTime, name: "to")))
    },
    CommandDeclaration(
      "record", "Record what a rack plays into a sound file.",
      [
        .required("action", .choice(["start", "stop"]), "start or stop."),
        .option(
          "file", .path,
          "The file, which must not exist yet: wav, w64, caf, aiff, au, flac. If none is given, it is "
            + "named after the rack and the time: in the present folder by the command line, otherwise "
            + "beside the rack's file.", label: "out"),
        .optional(
          "of", .sources,
          "Inputs, outputs (main, main_1), units (echo) and their busses (split.2), each as a channel of the "
            + "file; without names all outputs."),
        .option(
          "samples", .choice(SampleFormat.allCases.map(\.rawValue)),
          "Bits of a sample: 16, 24 or float; float if not given, for FLAC 24.", label: "bits"),
      ],
      detail: """
        One recording at a time. Every frame is written from the first to the last; if the disk is too \
        slow, silence replaces the missing frames, and is counted.
        """,
      examples: ["record start --out take.wav", "record start mic main_1 echo --out stems.wav"]
    ) { arguments in
      guard arguments["action"] == "start" else { return .stopRecording }
      return .startRecording(
        RecordingRequest(
          path: arguments.text("file") ?? "",
          sources: (arguments.text("of") ?? "").split(separator: ",").map(String.init),
          samples: arguments.text("samples").flatMap(SampleFormat.init)))
    },
    CommandDeclaration(
      "automate", "Record the moves of parameters while JACK's transport rolls.",
      [
        .required("action", .choice(["start", "stop", "load"]), "start, stop or load."),
        Argument(
          name: "file", kind: .path, isRequired: false,
          help: "The file, which start and stop create and load plays.", option: "out",
          isLabelOptional: true),
      ],
      detail: """
        `start` names the file, which must not exist yet; `stop` writes it, elsewhere if it names \
        another. `load` does the same as `automation`.
        """,
      examples: ["automate start --out moves.yaml", "automate stop", "automate load moves.yaml"]
    ) { arguments in
      let file = arguments.text("file")
      if arguments["action"] == "stop" { return .stopMoves(file: file) }
      guard let file else { throw Refusal("“automate” needs “file”") }
      return arguments["action"] == "start"
        ? .startMoves(file: file) : .command(.automation(file: file))
    },
  ]

  /// Requests whose answer is more than a sentence.
  static let questions = [
    CommandDeclaration(
      "get", "The value of a parameter.",
      [.required("parameter", .parameter, "The parameter, as in echo.mix.")], isQuestion: true
    ) { .get(parameter: $0["parameter"]) },
    CommandDeclaration(
      "list", "The rack: ports, units, cables, scenes, controls, songs.", isQuestion: true
    ) { _ in
      .list
    },
    CommandDeclaration(
      "catalogue", "The units that can be added, with their tags and presets.", isQuestion: true
    ) { _ in .catalogue },
    CommandDeclaration(
      "picture", "The rack's graph, drawn: boxes and cables with their places.", isQuestion: true
    ) { _ in .picture },
    CommandDeclaration(
      "log", "What has happened since the rack plays: the last 500 entries.", isQuestion: true
    ) { _ in .log },
    CommandDeclaration(
      "touch", "Take hold of a parameter.",
      [.required("parameter", .parameter, "The parameter, as in echo.mix.")],
      detail: "Until it is released, all sets of what the peer holds are one step to undo.",
      isQuestion: true
    ) { .touch(parameter: $0["parameter"]) },
    CommandDeclaration(
      "release", "Let go of a parameter.",
      [.required("parameter", .parameter, "The parameter, as in echo.mix.")],
      detail: "A connection that ends lets go of all.", isQuestion: true
    ) { .release(parameter: $0["parameter"]) },
    CommandDeclaration(
      "status", "The state of the rack: load, xruns, meters, and the time of each unit.",
      [
        .option(
          "since", .count,
          "The `sampleTime` of an earlier status: peaks are those since then, 10 s at the most.")
      ], isQuestion: true
    ) { .status(since: $0.count("since").map(Int64.init)) },
    CommandDeclaration("metrics", "The status in Prometheus' text format.", isQuestion: true) { _ in
      .metrics
    },
    CommandDeclaration(
      "subscribe", "Receive events from now on.",
      [
        .option("meters", .text, "Also the meters, 0.1 to 50 times a second."),
        .option("port", .text, "Over OSC: their destination port, if not the sender's."),
        .option(
          "midi", .flag, "Over the socket: also the messages that arrive at the MIDI inputs."),
      ], detail: "It replaces an earlier subscription of the same peer.", isQuestion: true
    ) {
      .subscribe(
        .init(
          meters: try rate($0.text("meters")), midi: $0.flag("midi") ?? false, port: try port($0)))
    },
    CommandDeclaration(
      "watch", "Receive what signals of units show, 30 times a second, and nothing of others.",
      [
        .required(
          "signals", .text,
          "The signals, with spaces between: UNIT.input or UNIT.output with .scope, .spectrum or .tuner, or"
            + " an array that the unit shows; empty for none.")
      ], detail: "It lasts as long as the subscription.", isQuestion: true
    ) { .watch($0["signals"].split(separator: " ").map(String.init)) },
    CommandDeclaration(
      "message", "Send a message of a unit's view to the unit; the answer is the unit's reply.",
      [
        .required("unit", .unit, "The unit's name."),
        .required("channel", .text, "The unit's channel."),
        .required("message", .text, "The message, up to 4095 bytes."),
      ], isQuestion: true
    ) { .message($0["message"], channel: $0["channel"], unit: $0["unit"]) },
    CommandDeclaration(
      "unsubscribe", "Receive no more events.",
      [.option("port", .text, "Over OSC: the port of the subscription, if not the sender's.")],
      isQuestion: true
    ) { .unsubscribe(port: try port($0)) },
    CommandDeclaration(
      "guest", "Speak for a peer of the network from now on.",
      detail:
        "A connection of which that is said may name no files. It lasts as long as the connection.",
      isQuestion: true
    ) { _ in .guest },
  ]

  /// The bytes of `90 3C 64`.
  private static func bytes(_ text: String) throws(Refusal) -> [UInt8] {
    let words = text.split(separator: " ")
    let bytes = words.compactMap { UInt8($0, radix: 16) }
    guard !bytes.isEmpty, bytes.count == words.count else {
      throw Refusal("“bytes” must be hexadecimal, as in 90 3C 64, not “\(text)”")
    }
    return bytes
  }

  private static let expressedKey = ParameterInfo(
    identifier: "key", name: "Key", unit: .midiNoteNumber, minimum: 0, maximum: 127,
    defaultValue: 60)

  /// As long as JACK counts frames at any rate.
  static let transportTime = ParameterInfo(
    identifier: "to", name: "to", unit: .seconds, minimum: 0, maximum: 20_000, defaultValue: 0)

  /// Times a second; nil for 0.
  private static func rate(_ text: String?) throws -> Double? {
    guard let text, Double(text) != 0 else { return nil }
    guard let rate = Double(text), (0.1...50).contains(rate) else {
      throw Refusal("“meters” must be 0.1 to 50 times a second, not “\(text)”")
    }
    return rate
  }

  private static func port(_ arguments: CommandArguments) throws -> UInt16? {
    guard let text = arguments.text("port") else { return nil }
    // OSC programs send numbers as floats, too.
    guard let port = Double(text).flatMap({ UInt16(exactly: $0) }), port > 0 else {
      throw Refusal("“port” must be 1 to 65535, not “\(text)”")
    }
    return port
  }
}
