import UnitModel

extension PresetLibrary {
  /// Yields whenever a preset of the unit has come, changed or gone, whichever program did it.
  public func changes(of component: ComponentDescription) -> AsyncStream<Void> {
    let folders = [userFolder, shippedFolder].compactMap(\.self).map {
      folder(of: component, in: $0)
    }
    return FolderWatch.changes { folders }
  }
}
