import AsyncSupport
import CBridge
import UnitModel

/// Plug-ins whose code runs in this program, because a rack or a caller has asked for it by name.
enum PlugInLibrary {
  /// The bridge, which lasts as long as the program; one thread at a time uses it.
  private struct Bridge: @unchecked Sendable { let pointer = bl_bridge_create() }
  private static let bridge = Guarded(Bridge())

  /// Loads a plug-in, after it has rendered without a fault in its own process.
  ///
  /// - Throws: `BundleFault` with the plug-in's name and the reason.
  static func load(
    _ name: String, in folder: String?, _ folders: PlugInFolders, dataFolder: String, maySplit: Bool
  ) throws(BundleFault) -> UnitDescriptor {
    if let problem = PlugInScanner(folders).problem(trying: name, in: folder) {
      throw BundleFault("\(name) is not loaded into this program (process: host): \(problem)")
    }
    return try bridge.withLock { bridge throws(BundleFault) in
      var message = [CChar](repeating: 0, count: 512)
      if let folder { bl_bridge_look_in(bridge.pointer, folder) }
      guard let pointer = bridge.pointer,
        let descriptor = bl_bridge_describe(pointer, name, &message, message.count),
        bl_bridge_open(descriptor, &message, message.count)
      else { throw BundleFault("\(name): \(String(cString: message))") }
      bl_bridge_keep_files(descriptor, dataFolder)
      if maySplit { bl_bridge_split(descriptor) }
      return UnitDescriptor(pointer: descriptor).guarded
    }
  }
}
