import CConfinement
import Documents
import FoundationEssentials
import Glibc

/// Reads plug-ins in child processes (`backline-validator --plug-ins`): lilv crashes on some texts, and
/// LADSPA libraries run code when they are opened.
struct PlugInScanner {
  private let folders: PlugInFolders
  /// The timeouts for the child's start including all bundles' manifests, and then for each
  /// plug-in, seconds.
  private static let startTimeout = 60.0
  private static let timeout = 10.0
  /// The number of faulty plug-ins after which a scan stops.
  private static let maximumFaults = 200

  init(_ folders: PlugInFolders) { self.folders = folders }

  /// Returns the records of plug-ins by name, of all plug-ins if `names` is empty.
  func records(of names: [String]) -> [PlugInRecord] {
    var records: [String: PlugInRecord] = [:]
    var skipped: [String] = []
    for _ in 0...Self.maximumFaults {
      guard let culprit = read(names, skipping: skipped + records.keys, &records) else { break }
      skipped.append(culprit.name)
      records[culprit.name] = culprit
    }
    return records.values.sorted { $0.name < $1.name }
  }

  /// Returns the reason why a plug-in must not run in this program: it failed, crashed or hung when it
  /// rendered in a process of its own; nil if it did not.
  func problem(trying name: String, in folder: String?) -> String? {
    var records: [String: PlugInRecord] = [:]
    let culprit = read(
      [name], skipping: [], options: ["--trial"] + (folder.map { ["--folder", $0] } ?? []), &records
    )
    return culprit?.problem ?? records[name].map(\.problem) ?? "it could not be tried"
  }

  /// Reads until the child ends; returns the plug-in or library that it failed at, with the reason.
  private func read(
    _ names: [String], skipping known: [String], options: [String] = [],
    _ records: inout [String: PlugInRecord]
  ) -> PlugInRecord? {
    guard let program = try? HelperPrograms.path("backline-validator") else { return nil }
    let skips = known.flatMap { ["--skip", $0] }
    let paths = [folders.lv2, folders.ladspa].map { $0.joined(separator: ":") }
    let arguments = ["--plug-ins", "--lv2", paths[0], "--ladspa", paths[1]] + options + skips
    guard let child = try? HelperProcess(program, arguments + ["--"] + names) else { return nil }
    var current: String?
    let end = child.readLines(timeout: Self.startTimeout) { line in
      switch try? CacheFile.decoder.decode(PlugInRecord.Line.self, from: Data(line)) {
      case .reading(let name): current = name
      case .read(let record):
        records[record.name] = record
        current = nil
      case nil: break
      }
      return Self.timeout
    }
    guard let current else { return nil }
    let problem: String
    switch end {
    case .exit(0): return nil
    case .exit(let code): problem = "it ends the process (exit code \(code))"
    case .signal(let number): problem = "it crashes: \(String(cString: strsignal(number)))"
    case .timeout: problem = "it takes longer than \(Int(Self.timeout)) seconds"
    case .tooLongLine: problem = "it is larger than any unit needs to be"
    }
    return PlugInRecord(name: current, problem: problem)
  }
}
