import Documents

/// A set list as written: songs and the MIDI programs that choose them.
public struct SetList: Sendable, Equatable {
  /// The file's name as the person gave it.
  public var file: String
  /// The name of the set list and of the JACK client.
  public var name: Located<String> = ""
  public var programs = ProgramInput()
  /// The songs in their order, at least one.
  public var songs: [Song] = []

  init(file: String) { self.file = file }

  /// Creates a set list without a file.
  public init(_ name: String, songs: [Song]) {
    (file, self.name, self.songs) = (name, Located(name), songs)
  }
}

/// A song of a set list.
public struct Song: Sendable, Equatable {
  public var name: Located<String>
  /// The path of a rack file, relative to the set list's folder, or the name of a rack that comes with
  /// Backline.
  public var rack: Located<String> = ""
  /// The scene in which the song starts; nil for the rack as written.
  public var scene: Located<String>?
  /// The MIDI program that chooses the song, 1 to 128; nil for none.
  var number: Located<Int>?
  var bank: Located<ControlSource.Bank>?
  /// The MIDI channel of the set list's programs, 1 to 16; nil for all.
  var channel: Int?

  public init(_ name: String, rack: String) {
    (self.name, self.rack) = (Located(name), Located(rack))
  }

  /// The MIDI program that chooses the song; nil for none.
  public var program: ControlSource? {
    number.map { ControlSource(kind: .program($0.value - 1), bank: bank?.value, channel: channel) }
  }
}

/// The MIDI input whose program changes choose songs.
public struct ProgramInput: Sendable, Equatable {
  var input: Located<String>?
  var channel: Located<Int>?
  var connect: Located<[[String]]>?

  /// The name of the MIDI input: the rack's own input of that name, or an additional one.
  public var name: String { input?.value ?? Self.defaultName }
  /// The JACK ports to connect the input to, where the rack has no port of that name.
  public var autoConnect: [String] { connect?.value.flatMap(\.self) ?? [] }

  /// The name of the input where the set list gives none.
  public static let defaultName = "songs"
}
