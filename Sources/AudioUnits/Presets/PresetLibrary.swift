import Documents
import UnitModel

/// The presets of all units: those in the units' own tables, those that ship as files, and those
/// that a person has saved.
///
/// A preset is a file `<type>-<subtype>-<manufacturer>/<name>.yaml`, the user's below the XDG data
/// folder. Several programs may share a folder: files are replaced whole, and one program writes at
/// a time. Each call reads the disk, and may wait for it; any thread but the render thread may
/// call.
public struct PresetLibrary: Sendable {
  /// The folder of the user's presets.
  public let userFolder: String
  /// The folder of presets that ship, structured like the user's; nil if there is none.
  public let shippedFolder: String?

  /// The user's presets (`~/.local/share/backline/presets`), and those that ship with Backline.
  public static var standard: PresetLibrary {
    PresetLibrary(shippedFolder: DataFolder.find("presets"))
  }

  /// - Parameters:
  ///   - userFolder: the user's folder; by default that of the user who runs the program.
  ///   - shippedFolder: the folder of presets that ship; nil for none.
  public init(userFolder: String? = nil, shippedFolder: String? = nil) {
    self.userFolder = userFolder ?? "\(UserFolders.data)/presets"
    self.shippedFolder = shippedFolder
  }

  /// A preset with its state and file.
  package struct Entry: Sendable {
    package var preset: Preset
    package var state: UnitState
    /// The preset's file; nil for a preset of the unit's own table.
    package var path: String?
  }

  /// The presets of a unit, and the errors in their files.
  package struct Listing: Sendable {
    /// The entries: the unit's own presets, those that ship, then the user's from -1 downwards.
    package var entries: [Entry] = []
    package var diagnostics: [Diagnostic] = []

    /// Returns the preset with exactly this name.
    package func entry(named name: String) -> Entry? { entries.first { $0.preset.name == name } }

    package func entry(numbered number: Int) -> Entry? {
      entries.first { $0.preset.number == number }
    }
  }

  /// Returns every preset of a unit. A file with errors is reported and left out.
  package func presets(of facts: UnitFacts) -> Listing {
    var listing = Listing()
    for (number, preset) in facts.factoryPresets.enumerated() {
      let state = UnitState(facts, preset: preset)
      listing.entries.append(
        Entry(preset: Preset(number: number, name: preset.name), state: state))
    }
    for (root, isUser) in [(shippedFolder, false), (userFolder, true)] {
      guard let root else { continue }
      let folder = folder(of: facts.component, in: root)
      for name in Folder.names(in: folder) where PresetName.isFileName(name) {
        listing.add("\(folder)/\(name)", facts, isUser: isUser)
      }
    }
    let users = listing.entries.filter(\.preset.isUserPreset)
    listing.entries.removeAll(where: \.preset.isUserPreset)
    listing.entries += users.sorted { $0.preset.number > $1.preset.number }
    return listing
  }

  /// Returns the preset of that name.
  ///
  /// - Throws: `PresetError` with the nearest name, or with the errors in its file.
  package func entry(named name: String, of facts: UnitFacts) throws(PresetError) -> Entry {
    let listing = presets(of: facts)
    if let entry = listing.entry(named: name) { return entry }
    let wrong = listing.diagnostics.filter { $0.severity == .error && $0.isAbout(name) }
    if !wrong.isEmpty { throw .unreadable(wrong) }
    let names = listing.entries.map(\.preset.name)
    throw .noSuchPreset(
      name, of: facts, nearest: nearestWord(to: name, in: names))
  }

  /// Returns the preset of that name; if the name is empty, the preset of that number.
  ///
  /// - Throws: `PresetError`, as `entry(named:of:)` does.
  package func entry(for preset: Preset, of facts: UnitFacts) throws(PresetError) -> Entry {
    guard preset.name.isEmpty else { return try entry(named: preset.name, of: facts) }
    if let entry = presets(of: facts).entry(numbered: preset.number) { return entry }
    throw .noSuchPreset("\(preset.number)", of: facts, nearest: nil)
  }

  /// Returns the subfolder of a unit's presets.
  func folder(of component: ComponentDescription, in folder: String) -> String {
    "\(folder)/\(component.fileName)"
  }
}

extension Diagnostic {
  fileprivate func isAbout(_ name: String) -> Bool {
    file.utf8.reversed().starts(with: "/\(PresetName.fileName(for: name))".utf8.reversed())
  }
}

extension PresetLibrary.Listing {
  /// The next negative number.
  var nextUserNumber: Int { min(0, entries.map(\.preset.number).min() ?? 0) - 1 }

  /// Adds a preset's file; if it has no number or a number in use, assigns a new one.
  fileprivate mutating func add(_ path: String, _ facts: UnitFacts, isUser: Bool) {
    let (state, said) = PresetFile.read(path, facts: facts)
    diagnostics += said
    guard var state else { return }
    let name = state.presetName ?? PresetName.name(ofFileAt: path)
    if entry(named: name) != nil {
      diagnostics.append(
        Diagnostic(
          severity: .warning, file: path, position: SourcePosition(line: 1, column: 1),
          message: "there is another preset “\(name)”; this one is left out"))
      return
    }
    let own = state.presetNumber
    let isFree = own.map { $0 < 0 && entry(numbered: $0) == nil } ?? false
    let new = isUser ? nextUserNumber : entries.count
    let chosen = isFree ? own ?? new : new
    state.presetName = name
    state.presetNumber = chosen
    entries.append(
      PresetLibrary.Entry(preset: Preset(number: chosen, name: name), state: state, path: path))
  }
}
