import Documents

extension SetList: KeyedDocument {
  /// The most songs of a set list: as many as a rack has controls.
  static let maximumSongs = PlannedControl.maximumControls

  package static var title: String { "a set list" }
  package static var beginning: String { "setlist: NAME" }
  package static var keys: [Key<SetList>] {
    [
      Key(
        "setlist", \.name, .text,
        missing: { _ in "the set list has no name; begin with “setlist: NAME”" },
        "The name, and the name of the JACK client."),
      Key(
        "songs", \.songs, .songs,
        missing: { _ in "the set list has no songs, as in songs: { First: { rack: guitar.yaml } }"
        },
        "Songs by name, in the order of the show: 1 to \(maximumSongs)."),
      Key(
        "programs", \.programs, .map(ProgramInput()),
        "Where the MIDI programs come from that choose songs."),
    ]
  }

  /// Reads a set list; nil where it has no name or no songs.
  static func read(_ bytes: some Sequence<UInt8>, _ diagnostics: DiagnosticCollector) -> SetList? {
    guard let root = root(of: bytes, diagnostics) else { return nil }
    var list = SetList(file: diagnostics.file)
    diagnostics.read(root.pairs, into: &list, at: root.position)
    if root["songs"] != nil, list.songs.isEmpty, !diagnostics.hasErrors {
      diagnostics.error(
        root.position, "the set list has no songs, as in songs: { First: { rack: guitar.yaml } }")
    }
    if root["setlist"] != nil {
      NameRules.checkRack(list.name, kind: "set list", diagnostics: diagnostics)
    }
    if let input = list.programs.input { NameRules.check(input, diagnostics: diagnostics) }
    for index in list.songs.indices {
      let song = list.songs[index]
      list.songs[index].channel = list.programs.channel?.value
      if let bank = song.bank, song.number == nil {
        diagnostics.error(bank.position, "a bank alone chooses no song; add a “program”")
      }
    }
    list.songs.removeAll { $0.rack.value.isEmpty }
    list.checkSongs(diagnostics)
    return list.name.value.isEmpty || list.songs.isEmpty ? nil : list
  }

  private func checkSongs(_ diagnostics: DiagnosticCollector) {
    if songs.count > Self.maximumSongs {
      diagnostics.error(
        songs[Self.maximumSongs].name.position,
        "a set list has at most \(Self.maximumSongs) songs; this one has \(songs.count)")
    }
    var first: [ControlSource: Song] = [:]
    for song in songs {
      guard let program = song.program else { continue }
      if let other = first[program] {
        diagnostics.error(
          song.name.position,
          "“\(song.name.value)” has the program of “\(other.name.value)”, \(program)")
      }
      first[program] = song
    }
  }
}

extension ProgramInput: KeyedEntry {
  package static var title: String { "“programs”" }
  package static var keys: [Key<ProgramInput>] {
    [
      Key(
        "input", optional: \.input, .text,
        "The name of a MIDI input; default `\(defaultName)`. A rack that has a MIDI input of "
          + "this name shares it; every other rack gets one."),
      Key("channel", optional: \.channel, .count(1...16), "1 to 16; default: all channels."),
      Key(
        "connect", optional: \.connect, .connect,
        "JACK ports to connect the input to: a name or a list of names."),
    ]
  }
}

extension Song: NamedEntry {
  package init(name: Located<String>) { self.name = name }
  package static var title: String { "a song" }
  package static var example: String? { "{ rack: guitar.yaml, program: 1 }" }
  package static var keys: [Key<Song>] {
    [
      Key(
        "rack", \.rack, .text,
        missing: { "“\($0.name.value)” does not say which rack, as in rack: guitar.yaml" },
        "A rack file, relative to the set list's folder, or the name of a shipped rack. Several songs may "
          + "share a rack."),
      Key(
        "scene", optional: \.scene, .text,
        "The scene in which the song starts. Default: the rack as written."),
      Key(
        "program", optional: \.number, .count(1...128),
        "The MIDI program that chooses the song, 1 to 128."),
      Key(
        "bank", optional: \.bank,
        .written([
          "anyOf": [
            .integer(0...127), ["type": "string", "pattern": "^[0-9]+(/[0-9]+)?$"],
          ]
        ]),
        "The bank of that program: `1` (the last value of controller 0), or `1/2` (with controller 32). "
          + "Both count as 0 until they are received. Default: any bank."),
    ]
  }
}

extension KeyType where Value == [Song] {
  fileprivate static var songs: KeyType {
    let songs: KeyType = .named()
    return songs.schema(schema(changedFrom: songs.schema()))
  }

  private static func schema(changedFrom songs: JSONValue) -> JSONValue {
    var schema = songs
    schema["minProperties"] = 1
    schema["maxProperties"] = .number(Double(SetList.maximumSongs))
    schema["additionalProperties"]["dependentRequired"] = ["bank": ["program"]]
    return schema
  }
}

/// The JSON Schema (draft 2020-12) of set lists; it accepts every set list that the checker accepts.
package enum SetListSchema {
  package static var json: String { SetList.schema.document(title: "Backline set list") }
}
