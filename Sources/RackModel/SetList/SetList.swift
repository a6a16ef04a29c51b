import Documents

/// A set list as written: songs and the MIDI programs that choose them.
public struct SetList: Sendable, Equatable {
  /// The file's name as the person gave it.
  public var file: String
  /// Also the name of the JACK client.
  public var name: Located<String> = ""
  public var programs = ProgramInput()
  /// In their order, at least one.
  public var songs: [Song] = []

  init(file: String) { self.file = file }

  /// A set list that no file contains.
  public init(_ name: String, songs: [Song]) {
    (file, self.name, self.songs) = (name, Located(name), songs)
  }
}

/// A song of a set list.
public struct Song: Sendable, Equatable {
  public var name: Located<String>
  /// A path, from the set list's folder on, or the name of a rack that comes with Backline.
  public var rack: Located<String> = ""
  /// The scene in which the song starts; nil: the rack as written.
  public var scene: Located<String>?
  /// The MIDI program that chooses the song, from 1 on.
  var number: Located<Int>?
  var bank: Located<ControlSource.Bank>?
  /// The MIDI channel of the set list's programs; nil for all.
  var channel: Int?

  public init(_ name: String, rack: String) {
    (self.name, self.rack) = (Located(name), Located(rack))
  }

  /// The program that chooses it; nil for none.
  public var program: ControlSource? {
    number.map { ControlSource(kind: .program($0.value - 1), bank: bank?.value, channel: channel) }
  }
}

/// The MIDI input whose program changes choose songs.
public struct ProgramInput: Sendable, Equatable {
  var input: Located<String>?
  var channel: Located<Int>?
  var connect: Located<[[String]]>?

  /// The rack's own MIDI input of that name, or one besides its own.
  public var name: String { input?.value ?? Self.usualName }
  /// JACK ports to connect it to, where the rack has no port of that name.
  public var autoConnect: [String] { connect?.value.flatMap(\.self) ?? [] }

  /// The name in a set list that does not say.
  public static let usualName = "songs"
}
