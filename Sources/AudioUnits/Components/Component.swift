import CForeignUnits
import CUnit
import Documents
import UnitModel

/// A unit that can be instantiated: its facts and its code.
public struct Component: Sendable {
  public let facts: UnitFacts
  /// The unit's bundle; nil for a unit that is not in one.
  public let bundle: UnitBundle?
  /// The tags that the user has given to the unit.
  public internal(set) var userTags: [String] = []
  /// Whether the bundle was named by a path, as by an author who tries it out.
  var isNamedByPath = false

  /// The folder of a plug-in of another format, and the file with its code.
  let plugInFolder, plugInLibrary: String?

  /// Whether a plug-in's cycles may be split at events: a validation has found that this does not change
  /// its output.
  let maySplit: Bool

  /// The files and folders that a process of the unit may read.
  private(set) var readablePaths: [String]

  /// Returns the component with further files and folders that its process may read; absolute
  /// paths.
  package func reading(_ paths: [String]) -> Component {
    var component = self
    component.readablePaths += paths
    return component
  }

  private let manifest: UnitManifest?
  private let code: Code

  /// Provides the unit's descriptor for a process; see `descriptor(in:)`.
  package typealias Code = @Sendable (ProcessChoice) throws(BundleFault) -> UnitDescriptor

  /// Whether its code belongs to the host program.
  package let isOfHost: Bool

  package init(_ facts: UnitFacts, isOfHost: Bool = false, code: @escaping Code) {
    (self.facts, self.code, self.isOfHost) = (facts, code, isOfHost)
    (bundle, manifest, plugInFolder, plugInLibrary, readablePaths) = (nil, nil, nil, nil, [])
    maySplit = false
  }

  /// Creates a component for a plug-in of another format.
  init(
    plugIn facts: UnitFacts, folder: String?, library: String?, folders: PlugInFolders,
    maySplit: Bool
  ) {
    (self.facts, self.maySplit, isOfHost) = (facts, maySplit, false)
    (bundle, manifest, plugInFolder, plugInLibrary) = (nil, nil, folder, library)
    readablePaths = (folder.map { [$0] } ?? []) + folders.readablePaths
    code = { process throws(BundleFault) in
      guard process == .host, let name = facts.component.plugIn else {
        return RemoteDescriptor.of(facts)
      }
      let found = try PlugInLibrary.load(
        name, in: folder, folders, dataFolder: Self.dataFolder(of: facts.component),
        maySplit: maySplit)
      var read = UnitFacts(found.pointer.pointee)
      read.component.plugIn = name
      guard read.hasSameShape(as: facts) else {
        throw BundleFault("\(name): it has changed since it was read")
      }
      return found
    }
  }

  init(_ facts: UnitFacts, bundle: UnitBundle, manifest: UnitManifest) {
    (self.facts, self.bundle, self.manifest) = (facts, bundle, manifest)
    (plugInFolder, plugInLibrary, maySplit, isOfHost) = (nil, nil, false, false)
    readablePaths = [bundle.path]
    code = { process throws(BundleFault) in
      guard process == .host else {
        return RemoteDescriptor.of(facts, library: FileStamp(bundle.libraryPath))
      }
      guard manifest.allowsInProcess else {
        throw BundleFault(
          "\(bundle.manifestPath) does not allow the unit to be loaded into this program"
            + " (in_process: true)")
      }
      let found = try UnitLibrary.load(bundle.libraryPath).first {
        UnitFacts($0.pointer.pointee).hasSameShape(as: facts)
      }
      guard let found else {
        throw BundleFault("\(bundle.libraryPath): it has changed since it was read")
      }
      return found
    }
  }

  public var component: ComponentDescription { facts.component }
  public var name: String { facts.name }
  public var manufacturerName: String { facts.manufacturerName }
  public var version: UInt32 { facts.version }
  public var versionText: String { facts.versionText }
  public var hasMIDIInput: Bool { facts.hasMIDIInput }
  public var hasMIDIOutput: Bool { !facts.midiOutputNames.isEmpty }
  /// The unit's own tags, then the user's.
  public var tags: [String] {
    facts.tags + userTags.filter { tag in !facts.tags.contains { ComponentTag.areAlike($0, tag) } }
  }
  /// The file of the unit's custom view; nil if it has none.
  public var customView: String? {
    manifest?.view.flatMap { view in bundle?.filePath(of: view) }
  }
  public var hasCustomView: Bool { customView != nil }
  /// The folder that the unit may write to from a process of its own, if the user has created it.
  var dataFolder: String { Self.dataFolder(of: component) }
  private static func dataFolder(of component: ComponentDescription) -> String {
    "\(UserFolders.data)/unit-data/\("\(component)".replacing("/", with: "-"))"
  }
  /// Whether the unit's code may be loaded into this program.
  public var allowsInProcess: Bool { manifest?.allowsInProcess ?? true }
  /// The path of the library with the unit's code, or the plug-in's name; nil for a unit of the
  /// program's own.
  package var codePath: String? { bundle?.libraryPath ?? component.plugIn }
  /// The rights that the unit needs and a sandbox would refuse.
  public var needs: [UnitManifest.Need] { manifest?.needs ?? [] }
  public var isSandboxSafe: Bool { needs.isEmpty }
  /// The processor architectures that the unit has code for; "x86_64".
  public var architectures: [String] {
    bundle?.architectures ?? [String(UnitBundle.platform.split(separator: "-")[0])]
  }

  /// Whether the unit supports these channel counts together; 0 input channels means no input.
  public func supports(inputChannels: Int, outputChannels: Int) -> Bool {
    facts.allows(input: inputChannels, output: outputChannels)
  }

  public func hasTag(_ tag: String) -> Bool {
    tags.contains { ComponentTag.areAlike($0, tag) }
  }

  /// The process that the unit runs in by default: its own for a plug-in of another format, for a bundle
  /// that does not allow loading into this one, and for a bundle named by its path; otherwise this one.
  public var defaultProcess: ProcessChoice {
    isNamedByPath && !facts.isOfflineEffect ? .own : processByConsent
  }

  /// The default process, regardless of whether the bundle was named by its path.
  package var processByConsent: ProcessChoice {
    allowsInProcess && (component.plugIn == nil || component.rackFile != nil) ? .host : .own
  }

  /// Returns the unit's descriptor, loading its code if necessary, or a descriptor that represents it
  /// here while it runs in another process; may wait for the disk.
  ///
  /// - Throws: `BundleFault` that names the file.
  package func descriptor(in process: ProcessChoice) throws(BundleFault) -> UnitDescriptor {
    try code(process)
  }
}

extension UnitFacts {
  /// Whether addresses and busses have the same meaning in both.
  fileprivate func hasSameShape(as other: UnitFacts) -> Bool {
    var mine = self
    (mine.tags, mine.summary) = (other.tags, other.summary)
    mine.factoryPresets = other.factoryPresets
    return mine == other
  }
}

/// A unit's descriptor.
///
/// Unchecked because a pointer is not known to be Sendable: a descriptor is constant for the life of
/// its library (see unit.h), and libraries are never unloaded.
package struct UnitDescriptor: @unchecked Sendable {
  package let pointer: UnsafePointer<bl_unit_descriptor>
  package init(pointer: UnsafePointer<bl_unit_descriptor>) { self.pointer = pointer }

  /// The descriptor wrapped for code that is not Backline's own (guarded_unit.h); unchanged if
  /// memory is short.
  var guarded: UnitDescriptor {
    UnitDescriptor(pointer: bl_guarded_unit(pointer) ?? pointer)
  }
}
