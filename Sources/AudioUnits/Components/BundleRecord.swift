import UnitModel

/// What is known of one bundle, and of which state of its files.
struct BundleRecord: Sendable, Codable {
  var manifestStamp: FileStamp?
  var libraryStamp: FileStamp?
  /// Nil where something is wrong with it.
  var manifest: UnitManifest?
  /// What could be read of a manifest that is wrong.
  var component: ComponentDescription?
  var name: String?
  /// What is wrong with the bundle.
  var problems: [String] = []
  /// Nil until its library has been read, in this run or an earlier one, or where that failed.
  var facts: UnitFacts?
  var isInspected = false
  /// What is wrong may be otherwise in the next run.
  var isTransient = false

  /// Facts have files of their own, as few of them are asked for in one run.
  enum CodingKeys: CodingKey {
    case manifestStamp, libraryStamp, manifest, component, name, problems, isInspected, isTransient
  }

  /// Reads the bundle's manifest.
  init(_ bundle: UnitBundle) {
    manifestStamp = FileStamp(bundle.manifestPath)
    libraryStamp = FileStamp(bundle.libraryPath)
    let result = UnitManifestReader.read(bundle)
    manifest = result.manifest
    component = result.component
    name = result.name
    problems = result.problems.map(\.description)
    if problems.isEmpty, libraryStamp == nil {
      let others = bundle.architectures
      problems = [
        "\(bundle.path): it has no library for this machine,"
          + " \(UnitBundle.platform)/\(UnitBundle.libraryName)"
          + (others.isEmpty ? "" : "; it has one for \(others.joined(separator: ", "))")
          + (FileStamp("\(bundle.path)/Makefile") == nil ? "" : "; make in that folder builds it")
      ]
    }
    if !problems.isEmpty { manifest = nil }
    // What is near to the name of a bundle that is not there hangs on others.
    isTransient = manifestStamp == nil
  }

  /// Are the bundle's files still those that this is known of?
  func isUpToDate(_ bundle: UnitBundle) -> Bool {
    FileStamp(bundle.manifestPath) == manifestStamp && FileStamp(bundle.libraryPath) == libraryStamp
  }

  mutating func note(_ result: Result<UnitFacts, BundleFault>) {
    isInspected = true
    switch result {
    case .success(let facts): self.facts = facts
    case .failure(let fault):
      problems = fault.problems
      isTransient = fault.isTransient
      manifest = nil
    }
  }
}
