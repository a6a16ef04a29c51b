import Documents
import UnitModel

/// The table of a rack file's keys: the source of reading, suggestions, the JSON Schema, write-back and the
/// tables of docs/reference/rack-file.md.
extension Rack: KeyedDocument {
  package static var title: String { "a rack" }
  package static var beginning: String { "rack: NAME" }
  package static var keys: [Key<Rack>] {
    [
      Key(
        "rack", optional: \.name, .text,
        missing: { _ in "the rack has no name; begin with “rack: NAME”" },
        "The name of the rack and of the JACK client: up to 63 bytes."),
      Key(
        "tempo", optional: \.tempo, .text,
        "Beats per minute (10 to 400; default 120) for units that follow the tempo, such as a delay's "
          + "`sync`. Live, JACK's timebase master takes precedence, and "
          + "[`ctl tempo` and `ctl tap`](commands.md#tempo-and-transport) set it."),
      Key(
        "threads", \.threads,
        .unlocated(
          .written(["anyOf": [["const": "auto"], .integer(ThreadChoice.numbers)]]),
          default: .automatic),
        "The threads that render the rack's parallel branches: 1 to 16, or `auto` (default), a thread "
          + "for each processor while that saves time. The sound is the same for any number. A rack "
          + "with units in processes of their own has one."),
      Key(
        "processes", \.processes, .map(ProcessSettings()),
        "How the rack waits for units in [processes](#processes) of their own, and where they run."),
      Key("inputs", \.inputs, .named(), "Ports by name: where sound and MIDI come in."),
      Key("outputs", \.outputs, .named(), "Ports by name: where sound and MIDI go out."),
      Key("units", \.units, .named(), "Units by name."),
      Key(
        "connections", \.connections, .connections,
        "A list of chains such as `mic -> ring -> main`; `~>` feeds back."),
      Key(
        "modulations", \.modulations, .modulations,
        "What [sound moves](#modulations): an LFO, an envelope."),
      Key("controls", \.controls, .controls, "What [MIDI moves](#controls-and-scenes)."),
      Key("scenes", \.scenes, .scenes, "Values that are set at once, by the name of the scene."),
      Key(
        "expose", \.exposed, .paths,
        "Parameters that the rack has where it is a [unit](#racks-in-racks) or a plug-in, by "
          + "`UNIT.PARAMETER` or `UNIT.bypass`, besides those that its controls and scenes set."),
      Key(
        "automation", \.automation, .automation,
        "What follows the [transport](#automation), by `UNIT.PARAMETER` or `UNIT.bypass`."),
    ]
  }
}

extension ProcessSettings: KeyedEntry {
  package static var title: String { "“processes”" }
  package static var keys: [Key<ProcessSettings>] {
    let usual = ProcessSettings()
    let range = ProcessSettings.timeoutRange
    return [
      Key(
        "timeout", \.timeout, .percentage(range), formerly: "patience",
        "The share of each period for which the rack waits for all of these units together: 1 to 90 %; "
          + "default \(Quantity.format(range.defaultValue, for: range)). A unit that has not answered "
          + "by then is left out of the cycle."),
      Key(
        "processor", \.processor,
        .unlocated(
          .written([
            "anyOf": [["enum": ["auto", "same", "other"]], .integer(ProcessorChoice.numbers)]
          ]), default: usual.processor),
        "Where the units run: `same` (the processor of the thread that renders the rack), `other` (any "
          + "other processor), a processor's number, or `auto` (default), which chooses by the time "
          + "that it takes to wake a process on each."),
      Key(
        "restarts", \.restarts,
        .unlocated(.count(ProcessSettings.restartRange), default: usual.restarts),
        "How often within 30 s a unit whose process dies is started again: 0 to 100; default "
          + "\(usual.restarts). At the next death it stays bypassed."),
    ]
  }
}

extension Rack.Port: NamedEntry {
  package init(name: Located<String>) { self.name = name }
  package static var title: String { "a port" }
  package static var keys: [Key<Rack.Port>] {
    [
      Key(
        "channels", optional: \.channels, .count(1...UnitFacts.maximumChannelCount),
        "1 to 32; default: 1 for an input, 2 for an output."),
      Key("midi", \.isMIDI, .flag, "`true`: a MIDI port, which has no channels to count."),
      Key(
        "connect", optional: \.connect, .connect,
        "JACK ports to connect to, as `client:port`, as soon as they appear. With one channel: a name or "
          + "a list of names. With several: a list with an entry for each channel, each a name or a "
          + "list of names."),
      Key(
        "ceiling", optional: \.ceiling,
        .written(["anyOf": [["type": ["string", "number"]], ["const": false]]]),
        "Of an audio output: the level above which it is [faded out](#ceilings), -60 to 100 dB over "
          + "full scale (default 18 dB), or `off`."),
    ]
  }
}

extension Rack.Unit: NamedEntry {
  package init(name: Located<String>) { self.name = name }
  package static var title: String { "a unit" }
  package static var example: String? { "{ unit: aufx/ring/bkln }" }
  package static func match(_ units: [Rack.Unit], in former: [Rack.Unit]) -> [Int?] {
    EntryMatching.units(of: units, in: former)
  }
  package static var keys: [Key<Rack.Unit>] {
    [
      Key(
        "unit", optional: \.unit, .text,
        missing: {
          "“\($0.name.value)” does not say which unit it is, as in unit: aufx/ring/bkln"
        },
        "Its component (`aufx/ring/bkln`), its name (`Ring Modulator`), the path of a bundle "
          + "(`./Ring.unit`) or of [another rack](#racks-in-racks) (`./lead.yaml`) relative to the rack "
          + "file's folder, or a [plug-in](plug-ins.md) (`lv2:URI`, `ladspa:LIBRARY/LABEL`). Names are written as `backline units` "
          + "lists them, capitals included. A version may follow a component or a name "
          + "(`aufx/ring/bkln@1.0.0`); default: the highest. Bundles in a folder `units` beside the "
          + "rack file take precedence. `*` stands for any code where only one unit fits; quote a text "
          + "that begins with `*`."),
      Key(
        "preset", optional: \.preset, .text, "The [preset](presets.md) that the unit starts with."),
      Key(
        "inputs", optional: \.inputs, .count(),
        "How many input busses, for units that allow more than they declare, such as the mixer."),
      Key(
        "channels", optional: \.channels, .count(1...UnitFacts.maximumChannelCount),
        "How many output channels."),
      Key(
        "process", optional: \.process, .written(UnitSchema.process),
        "In which [process](#processes) the unit is rendered: `own`, `host` or `group NAME`."),
      Key(
        "pipeline", optional: \.isPipelined, .flag,
        "`true`: the rack never waits for the unit, whose sound comes one period later; parallel paths "
          + "are delayed to match. Only in another process, in a rack without feedback cables."),
      Key(
        "parameters", \.parameters, .settings,
        "Values by key path, which override those of the preset. Groups may be maps within maps: "
          + "`envelope: { attack: 10 ms }` is `envelope.attack: 10 ms`."),
      Key(
        "properties", \.properties, .settings,
        """
        Settings that are not numbers. A path is relative to the rack file's folder. The file of a \
        unit that holds a sound, such as a looper's loop, is written by `backline ctl save`, and may \
        be missing; what a unit has learnt is saved as a text (`print: base64:…`).
        """),
      Key(
        "files", \.files, .files,
        "Files and folders that the unit may read in a [process](#processes) of its own, besides those that "
          + "its properties name: a folder of drum kits, say, that a plug-in's `state` names inside. Relative "
          + "to the rack file's folder."),
      Key("spill", \.spills, .flag, "`true`: its tail [spills over](#spilling-over)."),
      Key(
        "bypass", \.isBypassed, .flag,
        "`true`: the unit starts bypassed. Its first input goes to its first output, delayed by the "
          + "unit's latency. One channel goes to all; several go into one as their mean; otherwise "
          + "channel goes to channel, surplus inputs are dropped and surplus outputs are silent."),
    ]
  }
}
