import ArgumentParser
import AudioUnits
import Documents
import Glibc
import RackControl
import RackEngine
import RackFiles
import RackModel
import RackSession

/// Completions for the tab key of a shell.
extension CompletionKind {
  /// Racks that come with Backline, and rack files.
  static var racks: Self { .custom { _, _, prefix in RackWords.racks(prefix) } }

  /// Racks and set lists.
  static var performances: Self {
    .custom { _, _, prefix in
      (prefix.contains("/") ? [] : SetListLoader.shippedNames) + RackWords.racks(prefix)
    }
  }

  /// Names of units, as bash would show only the part of a component after the last slash.
  static var units: Self { .custom { _, _, _ in RackWords.units } }

  /// Parameters and units of the rack that the command line names, or of the only running rack.
  static var parametersAndUnits: Self {
    .custom { line, _, _ in
      RackWords.running(line)?.units.flatMap { [$0.name] + $0.parameters.map(\.parameter) } ?? []
    }
  }

  /// Units by name, racks and set lists.
  static var subjects: Self {
    .custom { _, _, prefix in
      RackWords.units + (prefix.contains("/") ? [] : SetListLoader.shippedNames)
        + RackWords.racks(prefix)
    }
  }

  /// Presets of the unit that is named earlier in the command line.
  static var presets: Self {
    .custom { words, _, _ in
      let catalogue = ComponentCatalogue(folders: .standard)
      guard let unit = words.lazy.compactMap(catalogue.knownFacts(named:)).first else { return [] }
      return PresetLibrary.standard.presets(of: unit).entries.map(\.preset.name)
    }
  }

  /// `mic=`: ports of the rack that is named earlier in the command line.
  static var inputPorts: Self {
    .custom { words, _, _ in RackWords.plan(words).map { $0.inputs + $0.midiInputs }.names }
  }

  static var outputPorts: Self {
    .custom { words, _, _ in RackWords.plan(words).map { $0.outputs + $0.midiOutputs }.names }
  }
}

extension [Port]? {
  fileprivate var names: [String] { map { $0.map { "\($0.name)=" } } ?? [] }
}

enum RackWords {
  /// Returns the plan of the first word that names a rack; nil if there is none.
  static func plan(_ words: [String]) -> Plan? {
    let catalogue = ComponentCatalogue(folders: .standard)
    return words.dropFirst(2).lazy.filter(RackLoader.isThere)
      .compactMap { RackLoader.load($0, catalogue: catalogue, mayMiss: true).rack?.plan }.first
  }

  /// Returns the rack that the command line names, or the only running rack; nil if there is none.
  static func running(_ line: [String]) -> RackListing? {
    let option = line.firstIndex(of: "--rack").map { $0 + 1 }
    let named = option.flatMap { line.indices.contains($0) ? line[$0] : nil }
    let running = ControlSocket.names
    guard let rack = named ?? (running.count == 1 ? running.first : nil) else { return nil }
    return try? ControlClient(rack: rack, timeout: 1).ask("list", for: RackListing.self)
  }

  static var units: [String] { ComponentCatalogue(folders: .standard).knownFacts.map(\.name) }

  /// Returns the racks that come with Backline, rack files and folders.
  static func racks(_ prefix: String) -> [String] {
    (prefix.contains("/") ? [] : RackLoader.shippedNames)
      + files(prefix) { $0.hasSuffix(".yaml") }
  }

  /// Returns the files for which `isMeant` returns true, and folders.
  static func files(_ prefix: String, where isMeant: (String) -> Bool = { _ in true }) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    return Folder.names(in: folder.isEmpty ? "." : folder).compactMap { name in
      let path = folder + name
      if name.hasPrefix(".") { return nil }
      return isMeant(name) || access("\(path)/", F_OK) == 0 ? path : nil
    }
  }
}
