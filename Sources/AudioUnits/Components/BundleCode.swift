import UnitModel

/// The code of a bundle: its shared library.
struct BundleCode: ComponentCode {
  let bundle: UnitBundle
  let manifest: UnitManifest

  func descriptor(of facts: UnitFacts) throws(BundleFault) -> UnitDescriptor {
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

  func remoteDescriptor(of facts: UnitFacts) -> UnitDescriptor {
    RemoteDescriptor.of(facts, library: bundle.libraryPath)
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
