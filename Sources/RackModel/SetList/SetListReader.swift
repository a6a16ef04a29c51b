import Documents

/// Makes a set list of its entries; goes on past errors, to report them all.
struct SetListReader {
  /// As many as a rack has controls.
  static let mostSongs = ControlResolver.mostControls
  static let kind = DocumentKind(name: "set list")

  var diagnostics: DiagnosticCollector

  init(file: String) { diagnostics = DiagnosticCollector(file: file) }

  mutating func setList(from value: YAMLValue) -> SetList? {
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.position, "a set list is a map that begins with “setlist: NAME”, not \(value.kind)")
      return nil
    }
    var entry = SetListEntry()
    diagnostics.read(pairs, into: &entry, at: value.position)
    if let name = entry.name {
      NameRules.checkRack(name, kind: "set list", diagnostics: &diagnostics)
    }
    let channel = check(entry.programs.channel, of: "channel", in: 1...16)
    let songs = entry.songs.compactMap { song($0, channel: channel) }
    check(songs)
    guard let name = entry.name, !name.value.isEmpty, !songs.isEmpty else { return nil }
    var list = SetList(file: diagnostics.file, name: name, songs: songs)
    list.programs.autoConnect = entry.programs.connect?.value.flatMap(\.self) ?? []
    if let input = entry.programs.input {
      NameRules.check(input, diagnostics: &diagnostics)
      (list.programs.name, list.programs.position) = (input.value, input.position)
    }
    return list
  }

  private mutating func song(_ entry: SongEntry, channel: Int?) -> Song? {
    let program = check(entry.program, of: "program", in: 1...128)
    var bank: ControlSource.Bank?
    if let text = entry.bank {
      do throws(ControlSource.Fault) {
        bank = try ControlSource.Bank(written: text.value)
      } catch {
        diagnostics.error(text.position, error.reason)
      }
      if entry.program == nil {
        diagnostics.error(text.position, "a bank alone chooses no song; add a “program”")
      }
    }
    guard let rack = entry.rack, !rack.value.isEmpty else { return nil }
    var song = Song(name: entry.name, rack: rack)
    song.scene = entry.scene
    song.program = program.map {
      ControlSource(.program($0 - 1), channel: channel, bank: bank)
    }
    return song
  }

  /// A number in a range; nil where it is missing or, with an error, not in the range.
  private mutating func check(
    _ number: Located<Int>?, of key: String, in range: ClosedRange<Int>
  ) -> Int? {
    guard let number else { return nil }
    if range.contains(number.value) { return number.value }
    diagnostics.error(
      number.position,
      "“\(key)” is \(range.lowerBound) to \(range.upperBound), not \(number.value)")
    return nil
  }

  private mutating func check(_ songs: [Song]) {
    if songs.count > Self.mostSongs {
      diagnostics.error(
        songs[Self.mostSongs].name.position,
        "a set list has at most \(Self.mostSongs) songs; this one has \(songs.count)")
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
