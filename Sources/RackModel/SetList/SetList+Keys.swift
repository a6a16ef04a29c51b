import Documents

/// A set list as written, not checked.
struct SetListEntry: KeyedEntry {
  var name: Located<String>?
  var programs = ProgramsEntry()
  var songs: [SongEntry] = []

  static var title: String { "a set list" }
  static var keys: [Key<SetListEntry>] {
    [
      Key(
        "setlist", optional: \.name, .text,
        missing: { _ in "the set list has no name; begin with “setlist: NAME”" },
        "The name, and the name of the JACK client."),
      Key(
        "songs", \.songs, .songs,
        missing: { _ in "the set list has no songs, as in songs: { First: { rack: guitar.yaml } }"
        },
        "Songs by name, in the order of the show: 1 to \(SetListReader.mostSongs)."),
      Key(
        "programs", \.programs, .map(ProgramsEntry()),
        "Where the MIDI programs come from that choose songs."),
    ]
  }
}

/// The settings under `programs`.
struct ProgramsEntry: KeyedEntry {
  var input: Located<String>?
  var channel: Located<Int>?
  var connect: Located<[[String]]>?

  static var title: String { "“programs”" }
  static var keys: [Key<ProgramsEntry>] {
    [
      Key(
        "input", optional: \.input, .text,
        "The name of a MIDI input; default `\(ProgramInput.usualName)`. A rack that has a MIDI input of "
          + "this name shares it; every other rack gets one."),
      Key("channel", optional: \.channel, .count(1...16), "1 to 16; default: all channels."),
      Key(
        "connect", optional: \.connect, .connect,
        "JACK ports to connect the input to: a name or a list of names."),
    ]
  }
}

/// A song as written.
struct SongEntry: NamedEntry {
  var name: Located<String>
  var rack: Located<String>?
  var scene: Located<String>?
  var program: Located<Int>?
  var bank: Located<String>?

  init(name: Located<String>) { self.name = name }
  static var title: String { "a song" }
  static var example: String? { "{ rack: guitar.yaml, program: 1 }" }
  static var keys: [Key<SongEntry>] {
    [
      Key(
        "rack", optional: \.rack, .text,
        missing: { "“\($0.name.value)” does not say which rack, as in rack: guitar.yaml" },
        "A rack file, relative to the set list's folder, or the name of a shipped rack. Several songs may "
          + "share a rack."),
      Key(
        "scene", optional: \.scene, .text,
        "The scene in which the song starts. Default: the rack as written."),
      Key(
        "program", optional: \.program, .count(1...128),
        "The MIDI program that chooses the song, 1 to 128."),
      Key(
        "bank", optional: \.bank,
        .text.schema([
          "anyOf": [
            .integer(0...127), ["type": "string", "pattern": "^[0-9]+(/[0-9]+)?$"],
          ]
        ]),
        "The bank of that program: `1` (the last value of controller 0), or `1/2` (with controller 32). "
          + "Both count as 0 until they are received. Default: any bank."),
    ]
  }
}

extension KeyType where Value == [SongEntry] {
  fileprivate static var songs: KeyType {
    var type: KeyType = .named()
    type.schema["minProperties"] = 1
    type.schema["maxProperties"] = .number(Double(SetListReader.mostSongs))
    type.schema["additionalProperties"]["dependentRequired"] = ["bank": ["program"]]
    return type
  }
}

/// The JSON Schema (draft 2020-12) of set lists; it accepts every set list that the checker accepts.
public enum SetListSchema {
  public static var json: String { SetListEntry.schema.document(title: "Backline set list") }
}
