import UnitModel

/// The facts of one bundle, with the stamps of the files that they were read from.
struct BundleRecord: Sendable, Codable {
  var manifestStamp: FileStamp?
  var libraryStamp: FileStamp?
  /// Nil where the manifest has an error.
  var manifest: UnitManifest?
  /// The parts of a manifest with errors that could be read.
  var component: ComponentDescription?
  var name: String?
  /// The errors of the bundle.
  var problems: [UnitRefusal] = []
  /// Nil until the library has been read, in this run or an earlier one, and where that failed.
  var facts: UnitFacts?
  var isInspected = false
  /// Whether the problems may be gone in the next run.
  var isTransient = false

  /// Facts are in files of their own, as one run needs few of them.
  enum CodingKeys: CodingKey {
    case manifestStamp, libraryStamp, manifest, component, name, problems, isInspected, isTransient
  }

  /// Reads the bundle's manifest.
  init(_ bundle: UnitBundle) {
    manifestStamp = FileStamp(bundle.manifestPath)
    libraryStamp = FileStamp(bundle.libraryPath)
    let result = UnitManifest.read(bundle)
    manifest = result.manifest
    component = result.component
    name = result.name
    problems = result.problems.map(UnitRefusal.init)
    if problems.isEmpty, libraryStamp == nil {
      let others = bundle.architectures
      let problem =
        "\(bundle.path): it has no library for this machine,"
        + " \(UnitBundle.platform)/\(UnitBundle.libraryName)"
        + (others.isEmpty ? "" : "; it has one for \(others.joined(separator: ", "))")
        + (FileStamp("\(bundle.path)/Makefile") == nil ? "" : "; make in that folder builds it")
      problems = [UnitRefusal(problem)]
    }
    if !problems.isEmpty { manifest = nil }
    // The suggestion for a missing bundle depends on the other bundles.
    isTransient = manifestStamp == nil
  }

  /// Whether the bundle's files are still those that the record was read from.
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
