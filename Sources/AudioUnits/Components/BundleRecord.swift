import UnitModel

/// The facts of one bundle, with the stamps of the files that they come from.
struct BundleRecord: Sendable, Codable {
  var manifestStamp: FileStamp?
  var libraryStamp: FileStamp?
  /// The manifest; nil if it has an error.
  var manifest: UnitManifest?
  /// The component, as far as a manifest with errors could be read.
  var component: ComponentDescription?
  var name: String?
  /// The bundle's errors.
  var problems: [UnitRefusal] = []
  /// The unit's facts; nil until the library has been read, in this run or an earlier one, and if
  /// that failed.
  var facts: UnitFacts?
  var isInspected = false
  /// Whether the problems may be gone in the next run.
  var isTransient = false

  /// The facts are not encoded: they have files of their own, since one run needs few of them.
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
    // Transient, since the suggestion for a missing bundle depends on the other bundles.
    isTransient = manifestStamp == nil
  }

  /// Whether the record still matches the bundle's files.
  func isUpToDate(_ bundle: UnitBundle) -> Bool {
    FileStamp(bundle.manifestPath) == manifestStamp && FileStamp(bundle.libraryPath) == libraryStamp
  }

  mutating func apply(_ result: Result<UnitFacts, BundleFault>) {
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
