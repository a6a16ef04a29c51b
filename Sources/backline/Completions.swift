import ArgumentParser
import AudioUnits
import Documents
import Glibc
import RackControl
import RackEngine
import RackModel
import RackSession
import RackStage

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

  /// Names of units: of a component bash would show only the part after the last slash.
  static var units: Self { .custom { _, _, _ in RackWords.units } }

  /// Words of the rack that the command line names, or of the only one that runs.
  private static func running(_ words: @escaping @Sendable (RackListing) -> [String]) -> Self {
    .custom { line, _, _ in
      let option = line.firstIndex(of: "--rack").map { $0 + 1 }
      let named = option.flatMap { line.indices.contains($0) ? line[$0] : nil }
      let running = ControlSocket.names
      guard let rack = named ?? (running.count == 1 ? running.first : nil),
        let listing = try? ControlClient(rack: rack, timeout: 1).ask("list", for: RackListing.self)
      else { return [] }
      return words(listing)
    }
  }

  /// `echo.mix`
  static var parameters: Self { running { $0.parameters.map(\.parameter) } }
  /// `echo.mix`, and `sampler.file`
  static var settings: Self {
    running { $0.parameters.map(\.parameter) + $0.units.flatMap { $0.properties.map(\.property) } }
  }
  static var runningUnits: Self { running { $0.units.map(\.name) } }
  /// Targets of controls: parameters and scenes.
  static var targets: Self {
    running { $0.parameters.map(\.parameter) + $0.scenes.map { "scene \($0)" } }
  }
  static var mappedTargets: Self { running { $0.controls.map(\.to) } }
  /// Ports and units that have sound.
  static var portsAndUnits: Self {
    running { listing in
      (listing.inputs + listing.outputs).filter { $0.channels > 0 }.map(\.name)
        + listing.units.map(\.name)
    }
  }
  static var runningScenes: Self { running(\.scenes) }
  static var runningSongs: Self { running { $0.songs ?? [] } }
  static var parametersAndUnits: Self {
    running { $0.units.flatMap { [$0.name] + $0.parameters.map(\.parameter) } }
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

private enum RackWords {
  /// The plan of the first word that names a rack.
  static func plan(_ words: [String]) -> Plan? {
    let catalogue = ComponentCatalogue(folders: .standard)
    return words.dropFirst(2).lazy.filter(RackLoader.isThere)
      .compactMap { RackLoader.load($0, catalogue: catalogue, mayMiss: true).rack?.plan }.first
  }

  static var units: [String] { ComponentCatalogue(folders: .standard).knownFacts.map(\.name) }

  /// Rack files and folders.
  static func racks(_ prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let found = Folder.names(in: folder.isEmpty ? "." : folder).compactMap { name -> String? in
      let path = folder + name
      if name.hasSuffix(".yaml") { return path }
      let isFolder = !name.hasPrefix(".") && access("\(path)/", F_OK) == 0
      return isFolder ? path : nil
    }
    return (folder.isEmpty ? RackLoader.shippedNames : []) + found
  }
}
