import ArgumentParser
import AudioUnits
import Documents
import Glibc

/// What a shell offers when the tab key is pressed.
extension CompletionKind {
  /// Racks that come with Backline, and rack files.
  static var racks: Self { .custom { _, _, prefix in RackWords.racks(prefix) } }

  /// By name: bash would show no more of a component than what follows its last slash.
  static var units: Self { .custom { _, _, _ in RackWords.units } }

  static var unitsAndRacks: Self {
    .custom { _, _, prefix in RackWords.units + RackWords.racks(prefix) }
  }
}

private enum RackWords {
  static var units: [String] { ComponentCatalogue(folders: .standard).knownFacts.map(\.name) }

  /// Folders are offered too, since rack files may lie in them.
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
