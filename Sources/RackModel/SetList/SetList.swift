import Documents

/// A set list as written: songs and the MIDI programs that choose them.
public struct SetList: Sendable, Equatable {
  /// The file's name as the person gave it.
  public var file: String
  /// Also that of the JACK client.
  public var name: Located<String>
  public var programs = ProgramInput()
  /// In their order, at least one.
  public var songs: [Song]

  public init(file: String, name: Located<String>, songs: [Song]) {
    (self.file, self.name, self.songs) = (file, name, songs)
  }
}

/// A song of a set list.
public struct Song: Sendable, Equatable {
  public var name: Located<String>
  /// A path, from the set list's folder on, or the name of a rack that comes with Backline.
  public var rack: Located<String>
  /// The scene in which the song starts; nil: the rack as written.
  public var scene: Located<String>?
  /// The program that chooses it; nil for none.
  public var program: ControlSource?

  public init(name: Located<String>, rack: Located<String>) {
    (self.name, self.rack) = (name, rack)
  }
}

/// Where program changes come from that choose songs.
public struct ProgramInput: Sendable, Equatable {
  /// The MIDI input: the rack's own of that name, or one besides its own.
  public var name = usualName
  /// Where the set list says so.
  public var position: SourcePosition?
  /// JACK ports to connect it to, where the rack has no port of that name.
  public var autoConnect: [String] = []

  /// In a set list that does not say.
  public static let usualName = "songs"
}
