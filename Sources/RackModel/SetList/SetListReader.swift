import Documents

/// Reads set lists; goes on past errors, to report them all.
struct SetListReader {
  var diagnostics: DiagnosticCollector
  private var channel: Int?

  /// As many as a rack has controls.
  static let mostSongs = ControlResolver.mostControls
  static let kind = DocumentKind(name: "set list")

  init(file: String) { diagnostics = DiagnosticCollector(file: file) }

  mutating func setList(from value: YAMLValue) -> SetList? {
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.position, "a set list is a map that begins with “setlist: NAME”, not \(value.kind)")
      return nil
    }
    var list = SetList(file: diagnostics.file, name: Located("", at: value.position), songs: [])
    // Before the songs, whose programs come by its channel.
    for pair in pairs where pair.key.value == "programs" { list.programs = programs(pair.value) }
    for (key, value) in pairs.map({ ($0.key, $0.value) }) {
      switch key.value {
      case "setlist":
        if let name = diagnostics.text(value, of: "setlist") {
          list.name = name
          NameRules.checkRack(name, kind: "set list", diagnostics: &diagnostics)
        }
      case "programs": break
      case "songs":
        list.songs = diagnostics.entries(value, of: "songs").compactMap {
          song(named: $0.key, from: $0.value)
        }
        check(list.songs, at: key.position)
      default:
        diagnostics.unknown(key, in: "a set list", known: ["setlist", "programs", "songs"])
      }
    }
    for word in ["setlist", "songs"] where !pairs.contains(where: { $0.key.value == word }) {
      diagnostics.error(
        value.position,
        word == "songs"
          ? "the set list has no songs, as in songs: { First: { rack: guitar.yaml } }"
          : "the set list has no name; begin with “setlist: NAME”")
    }
    return list.songs.isEmpty || list.name.value.isEmpty ? nil : list
  }

  private mutating func programs(_ value: YAMLValue) -> ProgramInput {
    var input = ProgramInput()
    for (key, value) in diagnostics.entries(value, of: "programs") {
      switch key.value {
      case "input":
        if let name = diagnostics.text(value, of: "input") {
          NameRules.check(name, diagnostics: &diagnostics)
          (input.name, input.position) = (name.value, name.position)
        }
      case "channel": channel = number(value, of: "channel", in: 1...16)
      case "connect": input.connectWishes = wishes(value)
      default:
        diagnostics.unknown(key, in: "“programs”", known: ["input", "channel", "connect"])
      }
    }
    return input
  }

  private mutating func wishes(_ value: YAMLValue) -> [String] {
    guard case .sequence(let values) = value.content else {
      return diagnostics.text(value, of: "connect").map { [$0.value] } ?? []
    }
    return values.compactMap { diagnostics.text($0, of: "connect")?.value }
  }

  private mutating func song(named name: Located<String>, from value: YAMLValue) -> Song? {
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.isNull ? name.position : value.position,
        "“\(name.value)” must be a map such as { rack: guitar.yaml, program: 1 }, not \(value.kind)"
      )
      return nil
    }
    var song = Song(name: name, rack: Located("", at: name.position))
    var program: Int?
    var bank: Located<ControlSource.Bank>?
    for (key, value) in pairs.map({ ($0.key, $0.value) }) {
      switch key.value {
      case "rack": song.rack = diagnostics.text(value, of: "rack") ?? song.rack
      case "scene": song.scene = diagnostics.text(value, of: "scene")
      case "program": program = number(value, of: "program", in: 1...128)
      case "bank": bank = self.bank(value)
      default:
        diagnostics.unknown(key, in: "a song", known: ["rack", "scene", "program", "bank"])
      }
    }
    if let program {
      song.program = ControlSource(.program(program - 1), channel: channel, bank: bank?.value)
    } else if let bank, !pairs.contains(where: { $0.key.value == "program" }) {
      diagnostics.error(bank.position, "a bank alone chooses nothing; it goes with a “program”")
    }
    guard !song.rack.value.isEmpty else {
      if !pairs.contains(where: { $0.key.value == "rack" }) {
        diagnostics.error(
          name.position, "“\(name.value)” does not say which rack, as in rack: guitar.yaml")
      }
      return nil
    }
    return song
  }

  private mutating func bank(_ value: YAMLValue) -> Located<ControlSource.Bank>? {
    guard let text = diagnostics.text(value, of: "bank") else { return nil }
    do throws(ControlSource.Fault) {
      return Located(try ControlSource.Bank(written: text.value), at: text.position)
    } catch {
      diagnostics.error(text.position, error.reason)
      return nil
    }
  }

  private mutating func number(
    _ value: YAMLValue, of key: String, in range: ClosedRange<Int>
  ) -> Int? {
    guard let number = diagnostics.count(value, of: key) else { return nil }
    if range.contains(number.value) { return number.value }
    diagnostics.error(
      number.position,
      "“\(key)” is \(range.lowerBound) to \(range.upperBound), not \(number.value)")
    return nil
  }

  private mutating func check(_ songs: [Song], at position: SourcePosition) {
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
