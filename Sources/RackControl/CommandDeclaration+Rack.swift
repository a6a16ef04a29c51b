import Documents
import RackModel
import UnitModel

extension CommandDeclaration {
  /// Every command, in the order of help and documentation.
  public static let all = rackCommands + engineCommands + questions

  private static let unit = Argument.required("name", .unit, "The unit, as the rack calls it.")
  private static let file = Argument.required(
    "file", .unit, "The unit, and where it has several files the property: amp, cab.b.")
  private static let controlOptions = [
    Argument.option(
      "range", .value,
      "The values at its lowest and its highest, \"0 %, 50 %\"; the parameter's range without."),
    .option(
      "curve", .choice(["linear", "log", "square"]),
      "How the value moves between them: linear, log or square."),
    .option(
      "mode",
      .choice(ControlMode.allCases.map(\.rawValue)),
      "absolute, toggle, latching, twos-complement, binary-offset or sign-magnitude."),
    .option("pick_up", .flag, "Move nothing until the knob stands where the value is."),
  ]

  /// Commands that change the rack and can be undone.
  private static let rackCommands = [
    CommandDeclaration(
      "set", "Set a parameter or a bypass, or a text or a file of a unit.",
      [
        .required("parameter", .setting, "The parameter, as in echo.mix, or the property."),
        .required("value", .value, "The value, as in a rack file."),
      ],
      detail: """
        Every unit has `bypass`, which is `on` or `off`; a parameter that a unit itself calls `bypass` \
        cannot be reached. The path of a file is taken from the rack file's folder; what was playing goes \
        on until the file is ready, or if it cannot be played.
        """,
      examples: [
        "set echo.mix 30 %", "set mix.2.gain -6 dB", "set echo.bypass on",
        "set player.file loops/rain.wav",
      ]
    ) { .command(.set(parameter: $0["parameter"], value: $0["value"])) },
    CommandDeclaration(
      "set-all", "Set several parameters and bypasses at once.",
      [.required("values", .value, "PARAMETER=VALUE, with commas between.")],
      detail: "One step to undo. If one of them cannot be set, none is.",
      examples: ["set-all \"echo.mix=30 %, level.gain=-6 dB\""]
    ) { .command(.setAll(try settings($0["values"]))) },
    CommandDeclaration(
      "ramp", "Move a parameter to a value over a time.",
      [
        .required("parameter", .parameter, "The parameter, as in echo.mix."),
        .required("value", .value, "The value at the end."),
        Argument(
          name: "over", kind: .time, isRequired: true, help: "How long it takes: 2s, 500 ms.",
          option: "over"),
      ],
      detail: """
        It moves evenly along the parameter's curve, as its knob would, for an hour at the most. Another \
        command, MIDI or a scene that sets the parameter ends the ramp. A switch changes half-way.
        """, examples: ["ramp echo.mix 0 % --over 4s"]
    ) {
      .command(.ramp(parameter: $0["parameter"], value: $0["value"], over: $0["over"]))
    },
    CommandDeclaration(
      "reset", "Set a parameter or a bypass to its default.",
      [.required("parameter", .parameter, "The parameter, as in echo.mix.")],
      detail: "The default is the unit's, not the preset's."
    ) { .command(.reset(parameter: $0["parameter"])) },
    CommandDeclaration(
      "scene", "Recall a scene of the rack.", [.required("name", .scene, "The scene's name.")],
      detail: "Its values are set in the time that it takes. One step to undo."
    ) { .command(.scene($0["name"])) },
    CommandDeclaration(
      "store-scene", "Store the present values as a scene, a new one or one of the rack.",
      [
        .required("name", .text, "The scene's name."),
        .option("over", .value, "How long it takes; the time that it has without."),
      ],
      detail: """
        It stores all that a scene of the rack sets, and all that was moved since a scene was recalled or \
        stored last, or else since the rack was loaded. Of what no scene has set until now, the other scenes \
        get the former value, so that they sound as they did. A scene sets 256 values at the most.
        """, examples: ["store-scene lead", "store-scene \"far away\" --over 2s"]
    ) { .command(.storeScene(name: $0["name"], over: $0.text("over"))) },
    CommandDeclaration(
      "rename-scene", "Rename a scene of the rack.",
      [
        .required("name", .scene, "The scene's name."), .required("to", .text, "Its new name."),
      ], detail: "Controls follow it; a set list that names it is a file of its own, and does not."
    ) { .command(.edit(.renameScene(name: $0["name"], to: $0["to"]))) },
    CommandDeclaration(
      "remove-scene", "Remove a scene of the rack, and the controls that recall it.",
      [.required("name", .scene, "The scene's name.")]
    ) { .command(.edit(.removeScene(name: $0["name"]))) },
    CommandDeclaration(
      "preset", "Load a preset into a unit.",
      [unit, .required("preset", .text, "The preset's name.")]
    ) { .command(.edit(.loadPreset(name: $0["name"], preset: $0["preset"]))) },
    CommandDeclaration(
      "save-preset", "Save a unit's settings as a preset of yours, which the unit then has.",
      [
        unit, .required("preset", .text, "The preset's name."),
        .option("replace", .flag, "Replace your preset of that name."),
      ], detail: "Undo gives the unit its former preset; the saved one stays."
    ) {
      .savePreset($0["preset"], unit: $0["name"], replaces: $0.flag("replace") ?? false)
    },
    CommandDeclaration(
      "delete-preset", "Delete one of your presets.",
      [unit, .required("preset", .text, "The preset's name.")],
      detail: "Units that have it keep their values. It cannot be undone."
    ) { .deletePreset($0["preset"], unit: $0["name"]) },
    CommandDeclaration(
      "add", "Add a unit to the rack.",
      [
        .required("name", .text, "Its name in the rack."),
        .required("unit", .component, "Which unit: aufx/dely/bkln, Delay, a bundle's path."),
        .option("preset", .text, "A preset to start with."),
        .option("inputs", .count, "How many inputs, for units that allow more than they declare."),
        .option("into", .chain, "A cable to put it into, as in \"gate -> echo\"."),
      ],
      detail: "Without `into` it has no cables yet.",
      examples: ["add room Delay --into \"echo -> main\""]
    ) {
      .command(
        .edit(
          .add(
            name: $0["name"], unit: $0["unit"], preset: $0.text("preset"),
            inputs: $0.count("inputs"), into: $0.text("into"))))
    },
    CommandDeclaration(
      "remove", "Remove a unit.", [unit],
      detail: """
        Its inputs are connected to where its output went, as far as they fit (MIDI into a synth is not \
        connected to an audio input); a cable to or from a named bus (`mix.2`) ends there.
        """
    ) { .command(.edit(.remove(name: $0["name"]))) },
    CommandDeclaration(
      "replace", "Put another unit in a unit's place, under its name and with its cables.",
      [unit, .required("unit", .component, "The new unit: aufx/dely/bkln, Delay.")],
      detail: "The bypass stays; the parameters are the new unit's."
    ) { .command(.edit(.replace(name: $0["name"], unit: $0["unit"]))) },
    CommandDeclaration(
      "rename", "Rename a unit.", [unit, .required("to", .text, "Its new name.")]
    ) { .command(.edit(.rename(name: $0["name"], to: $0["to"]))) },
    CommandDeclaration(
      "connect", "Connect a chain, as in a rack file.",
      [.required("chain", .chain, "The chain: \"gate -> echo -> mix.1\", or gate echo mix.1.")]
    ) { .command(.edit(.connect($0["chain"]))) },
    CommandDeclaration(
      "disconnect", "Remove the cables of a chain.",
      [.required("chain", .chain, "The chain: \"gate -> echo\", or gate echo.")]
    ) { .command(.edit(.disconnect($0["chain"]))) },
    CommandDeclaration(
      "learn", "Assign the next MIDI control that you move.",
      [
        .optional("to", .target, "What it moves: echo.mix, echo.bypass, \"scene lead\".")
      ] + controlOptions + [.option("cancel", .flag, "Stop learning.")],
      detail: """
        Controllers of 7 and 14 bits, NRPNs, notes, pitch bends, pressures and programs are understood; the \
        result says what an endless encoder, a switch and the touch of a fader were taken for. Turn an encoder \
        both ways. It waits for a minute. The command is answered at once; subscribers to events receive the result. \
        Without `to` the learning is cancelled.
        """,
      examples: [
        "learn echo.mix --range \"0 %, 50 %\" --pick-up", "learn echo.bypass --mode toggle",
        "learn \"scene lead\"",
      ]
    ) { arguments in
      if arguments.text("to") != nil { return .command(.learn(try Rack.Control(arguments))) }
      if let spare = arguments.names.first(where: { $0 != "cancel" }) {
        throw Refusal("“learn” without “to” cancels the learning, so “\(spare)” has no meaning")
      }
      return .command(.learn(nil))
    },
    CommandDeclaration(
      "map", "Assign a MIDI control to a parameter, a bypass or a scene.",
      [
        .required("from", .text, "A MIDI input and its message: \"keys cc 7\", \"keys note C4\"."),
        .required("to", .target, "What it moves: echo.mix, echo.bypass, \"scene lead\"."),
      ] + controlOptions,
      detail: """
        A control of the same message and `to` is replaced, also where its `from` is written otherwise, as \
        one that was learned is.
        """,
      examples: ["map \"keys cc 7\" echo.mix"]
    ) { .command(.edit(.map(try Rack.Control($0)))) },
    CommandDeclaration(
      "forget", "Remove the MIDI controls of a parameter, a bypass or a scene.",
      [
        .required("to", .mappedTarget, "What they move: echo.mix, \"scene lead\"."),
        .option("from", .value, "Only the control from here: \"keys cc 7\"."),
      ], examples: ["forget echo.mix", "forget echo.mix --from \"keys cc 7\""]
    ) { .command(.edit(.forget(to: $0["to"], from: $0.text("from")))) },
    CommandDeclaration(
      "modulate", "Let sound move a parameter around its knob's place.",
      [
        .required("from", .text, "Where it comes from: lfo, \"pair channel 2\"."),
        .required("to", .target, "What it moves: filter.cutoff."),
        .required("depth", .value, "Part of its travel for a sample of 1: \"30 %\"."),
        .option("curve", .text, "linear (default), or square: small samples move it less."),
        .option("late", .flag, "Later by a cycle, which allows a loop."),
      ], detail: "A modulation with the same `from` and `to` is replaced.",
      examples: ["modulate lfo filter.cutoff \"30 %\""]
    ) { .command(.edit(.modulate(try Rack.Modulation($0)))) },
    CommandDeclaration(
      "unmodulate", "Remove the modulations of a parameter.",
      [
        .required("to", .target, "What they move: filter.cutoff."),
        .option("from", .value, "Only the modulation from here: lfo."),
      ], examples: ["unmodulate filter.cutoff", "unmodulate filter.cutoff --from lfo"]
    ) { .command(.edit(.endModulation(to: $0["to"], from: $0.text("from")))) },
    CommandDeclaration(
      "automation", "Play the lanes of an automation file.",
      [.required("file", .path, "The file; on the socket and over OSC a path from the root.")]
    ) { .command(.automation(file: $0["file"])) },
    CommandDeclaration(
      "load", "Play another rack in the place of this one.",
      [.required("rack", .rack, "A rack file, or the name of a rack that comes with Backline.")],
      detail: "The JACK client keeps its name, and the units that both racks have play on."
    ) { .command(.load(rack: $0["rack"])) },
    CommandDeclaration(
      "reload", "Read the rack's file again and play it as it is written, values and all."
    ) { _ in .command(.reload) },
    CommandDeclaration(
      "save", "Write the rack as it is now into its file, or a copy into another.",
      [
        .optional("path", .path, "Where to write a copy."),
        .option(
          "force", .flag,
          "Write even if the file was changed since it was read, or the copy exists already."),
        .option(
          "connections", .flag,
          "Also write the present JACK connections of its ports, as the file's “connect”."),
      ], detail: "Comments, order and everything unchanged stay as they are written."
    ) {
      .command(
        .save(
          SaveRequest(
            path: $0.text("path"), isForced: $0.flag("force") ?? false,
            keepsConnections: $0.flag("connections") ?? false)))
    },
    CommandDeclaration(
      "song", "Play a song of the set list.",
      [.required("name", .song, "The song's name or its number.")]
    ) { .command(.song($0["name"])) },
    CommandDeclaration("next", "Play the next song of the set list.") { _ in .command(.next) },
    CommandDeclaration("previous", "Play the previous song of the set list.") { _ in
      .command(.previous)
    },
    CommandDeclaration(
      "next-file", "Play the next file of the folder that a unit's file is in.", [file],
      detail: """
        Files are taken in the order in which people count them, and after the last comes the first. What \
        cannot be played is passed by and named; what was playing goes on until the file is ready.
        """, examples: ["next-file amp", "next-file cab.b"]
    ) { .command(.file(of: $0["file"], isNext: true)) },
    CommandDeclaration(
      "previous-file", "Play the previous file of the folder that a unit's file is in.", [file]
    ) { .command(.file(of: $0["file"], isNext: false)) },
    CommandDeclaration(
      "undo", "Undo the last step.",
      detail: """
        A thousand steps are kept. Several sets of one parameter, each within a second of the one before, \
        are one step.
        """
    ) { _ in .command(.undo) },
    CommandDeclaration("redo", "Redo the step that was undone last.") { _ in .command(.redo) },
  ]
}

/// `echo.mix=30 %, level.gain=-6 dB`
private func settings(_ text: String) throws(Refusal) -> [Setting] {
  // A unit's name may have commas in it, no value has.
  var parts: [Substring] = []
  var isWhole = true
  for part in text.split(separator: ",", omittingEmptySubsequences: false) {
    let start = isWhole ? part.startIndex : parts.removeLast().startIndex
    parts.append(text[start..<part.endIndex])
    isWhole = part.contains("=")
  }
  return try parts.map { part throws(Refusal) in
    guard let sign = part.lastIndex(of: "="), sign != part.startIndex else {
      throw Refusal(
        "“\(part.trimmingSpaces())” sets nothing; write PARAMETER=VALUE, as in echo.mix=30 %")
    }
    return Setting(
      part[..<sign].trimmingSpaces(), part[part.index(after: sign)...].trimmingSpaces())
  }
}

extension Rack.Modulation {
  fileprivate init(_ arguments: CommandArguments) throws(Refusal) {
    self.init(
      from: arguments["from"], to: arguments["to"], depth: arguments["depth"],
      curve: try arguments.text("curve").map(ParameterCurve.init(written:)),
      isLate: arguments.flag("late"))
  }
}

extension Rack.Control {
  fileprivate init(_ arguments: CommandArguments) throws(Refusal) {
    // With or without the brackets of a rack file.
    let range = arguments.text("range")?.filter { !"[]".contains($0) }
      .split(separator: ",", omittingEmptySubsequences: false)
    self.init(
      from: arguments.text("from"), to: arguments["to"], range: range?.map { $0.trimmingSpaces() },
      curve: try arguments.text("curve").map(ParameterCurve.init(written:)),
      mode: try arguments.text("mode").map(ControlMode.init(written:)),
      picksUp: arguments.flag("pick_up"))
  }
}
