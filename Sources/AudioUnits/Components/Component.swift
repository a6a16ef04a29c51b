import CUnit
import Documents
import UnitModel

/// A unit that can be instantiated: what is known of it, and where its code is.
public struct Component: Sendable {
  public let facts: UnitFacts
  /// Nil for a unit that comes with Backline.
  public let bundle: UnitBundle?
  /// Those that the user gave it.
  public let userTags: [String]

  private let manifest: UnitManifest?
  private let builtIn: UnitDescriptor?

  init(builtIn descriptor: UnitDescriptor, userTags: [String] = []) {
    facts = UnitFacts(descriptor.pointer.pointee)
    builtIn = descriptor
    (bundle, manifest) = (nil, nil)
    self.userTags = userTags
  }

  init(_ bundle: UnitBundle, manifest: UnitManifest, facts: UnitFacts, userTags: [String]) {
    self.facts = facts
    self.bundle = bundle
    self.manifest = manifest
    self.userTags = userTags
    builtIn = nil
  }

  public var component: ComponentDescription { facts.component }
  public var name: String { facts.name }
  public var manufacturerName: String { facts.manufacturerName }
  public var version: UInt32 { facts.version }
  public var versionText: String { facts.versionText }
  public var hasMIDIInput: Bool { facts.hasMIDIInput }
  public var hasMIDIOutput: Bool { !facts.midiOutputNames.isEmpty }
  /// Its own tags, and those that the user gave it.
  public var tags: [String] {
    facts.tags + userTags.filter { tag in !facts.tags.contains { ComponentTag.areAlike($0, tag) } }
  }
  /// A file that shows the unit's controls; nil for the view that every unit has.
  public var customView: String? {
    manifest?.view.flatMap { view in bundle?.place(of: view) }
  }
  public var hasCustomView: Bool { customView != nil }
  /// May its code be loaded into this program?
  public var allowsInProcess: Bool { manifest?.allowsInProcess ?? true }
  /// What it cannot do without, though a sandbox would refuse it.
  public var needs: [UnitManifest.Need] { manifest?.needs ?? [] }
  public var isSandboxSafe: Bool { needs.isEmpty }
  /// The processors there is code for; "x86_64".
  public var architectures: [String] {
    bundle?.architectures ?? [String(UnitBundle.platform.split(separator: "-")[0])]
  }

  /// Does it take so many channels in with so many out? 0 in stands for no input.
  public func supports(inputChannels: Int, outputChannels: Int) -> Bool {
    facts.allows(input: inputChannels, output: outputChannels)
  }

  public func hasTag(_ tag: String) -> Bool {
    tags.contains { ComponentTag.areAlike($0, tag) }
  }

  /// Where the unit runs unless somebody chooses: in a process of its own, if it is a bundle that does
  /// not agree to be loaded into this one.
  public var usualProcess: ProcessChoice { allowsInProcess ? .host : .own }

  /// The unit's code, loaded where it is not yet, or what stands for it here while it runs in another
  /// process; may wait for the disk.
  ///
  /// - Throws: `BundleFault` that names the file.
  func descriptor(in process: ProcessChoice) throws(BundleFault) -> UnitDescriptor {
    guard process == .host else {
      if let builtIn { return RemoteDescriptor.of(builtIn: builtIn, component) }
      guard let path = bundle?.libraryPath else { throw BundleFault("\(name): it has no library") }
      return RemoteDescriptor.of(facts, library: path)
    }
    if let builtIn { return builtIn }
    guard let bundle, allowsInProcess else {
      throw BundleFault(
        "\(bundle?.manifestPath ?? name) does not allow the unit to be loaded into this program"
          + " (in_process: true)")
    }
    let found = try UnitLibrary.load(bundle.libraryPath).first {
      UnitFacts($0.pointer.pointee).hasSameShape(as: facts)
    }
    guard let found else {
      throw BundleFault("\(bundle.libraryPath): it has changed since it was looked at")
    }
    return found
  }
}

extension UnitFacts {
  /// Do addresses and busses mean the same in both?
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
struct UnitDescriptor: @unchecked Sendable {
  let pointer: UnsafePointer<bl_unit_descriptor>
}
