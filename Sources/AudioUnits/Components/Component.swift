import CForeignUnits
import CUnit
import Documents
import UnitModel

/// A unit that can be instantiated: its facts and its code.
public struct Component: Sendable {
  public let facts: UnitFacts
  /// Nil for a unit that is not in a bundle.
  public let bundle: UnitBundle?
  /// The tags that the user has given the unit.
  public internal(set) var userTags: [String] = []
  /// Whether its bundle was named by a path, as an author does who is trying it out.
  var isNamedByPath = false

  /// The folder that a plug-in of another format is in, and the file with its code.
  let plugInFolder, plugInLibrary: String?

  /// Whether a plug-in's cycles may be split at events: a validation has found that it renders the same.
  let maySplit: Bool

  /// Files and folders that a process of the unit may read.
  private(set) var readablePaths: [String]

  /// The unit, whose process may read these files and folders, too; from the root.
  package func reading(_ paths: [String]) -> Component {
    var component = self
    component.readablePaths += paths
    return component
  }

  private let manifest: UnitManifest?
  private let code: Code

  /// Answers the unit's descriptor for a process; see `descriptor(in:)`.
  package typealias Code = @Sendable (ProcessChoice) throws(BundleFault) -> UnitDescriptor

  /// Whether its code is the host program's own.
  package let isOfHost: Bool

  package init(_ facts: UnitFacts, isOfHost: Bool = false, code: @escaping Code) {
    (self.facts, self.code, self.isOfHost) = (facts, code, isOfHost)
    (bundle, manifest, plugInFolder, plugInLibrary, readablePaths) = (nil, nil, nil, nil, [])
    maySplit = false
  }

  /// A plug-in of another format.
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
  /// The unit's own tags, and those that the user has given it.
  public var tags: [String] {
    facts.tags + userTags.filter { tag in !facts.tags.contains { ComponentTag.areAlike($0, tag) } }
  }
  /// The file of the unit's own view; nil where it has none.
  public var customView: String? {
    manifest?.view.flatMap { view in bundle?.place(of: view) }
  }
  public var hasCustomView: Bool { customView != nil }
  /// The folder that the unit may write to from a process of its own, if the user has made it.
  var dataFolder: String { Self.dataFolder(of: component) }
  private static func dataFolder(of component: ComponentDescription) -> String {
    "\(UserFolders.data)/unit-data/\("\(component)".replacing("/", with: "-"))"
  }
  /// Whether the unit's code may be loaded into this program.
  public var allowsInProcess: Bool { manifest?.allowsInProcess ?? true }
  /// The library with the unit's code, or the plug-in's name; nil for a unit of the program's own.
  package var codePath: String? { bundle?.libraryPath ?? component.plugIn }
  /// Rights that the unit needs and a sandbox would refuse.
  public var needs: [UnitManifest.Need] { manifest?.needs ?? [] }
  public var isSandboxSafe: Bool { needs.isEmpty }
  /// The processors that there is code for; "x86_64".
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
  /// that does not allow to be loaded into this one, and for one that was named by its path; else this one.
  public var usualProcess: ProcessChoice {
    isNamedByPath && !facts.isOfflineEffect ? .own : processByConsent
  }

  /// The same however the unit was named.
  package var processByConsent: ProcessChoice {
    allowsInProcess && (component.plugIn == nil || component.rackFile != nil) ? .host : .own
  }

  /// The unit's code, loaded where it is not loaded yet, or the code that stands for it here while it
  /// runs in another process; may wait for the disk.
  ///
  /// - Throws: `BundleFault` that names the file.
  package func descriptor(in process: ProcessChoice) throws(BundleFault) -> UnitDescriptor {
    try code(process)
  }
}

extension UnitFacts {
  /// Whether addresses and busses mean the same in both.
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
/// its library (unit.h says so), and libraries are never unloaded.
package struct UnitDescriptor: @unchecked Sendable {
  package let pointer: UnsafePointer<bl_unit_descriptor>
  package init(pointer: UnsafePointer<bl_unit_descriptor>) { self.pointer = pointer }

  /// The same for code that is not Backline's own (guarded_unit.h); as it is when memory is short.
  var guarded: UnitDescriptor {
    UnitDescriptor(pointer: bl_guarded_unit(pointer) ?? pointer)
  }
}
