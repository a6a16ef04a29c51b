import Documents
import RackModel
import SoundFiles

/// The assignment of input files to the renderings of a batch, and the names of the output files.
struct BatchNames {
  /// The names of the renderings, in order: the names of their input files without folder and suffix.
  let names: [String]
  /// The files of ports with several files, by port and name of rendering.
  private let files: [String: [String: String]]
  /// The files that all renderings share, by port.
  private let shared: [String: String]

  /// Assigns the files of ports to renderings.
  ///
  /// - Parameter ports: the files, or patterns with * or ?, by port.
  /// - Throws: `Failure` if two files of a port have the same name, or another port lacks a file of that name.
  init(_ ports: [String: [String]]) throws {
    let found = try ports.mapValues { try $0.flatMap(PortFiles.matches) }
    shared = found.filter { $0.value.count == 1 }.compactMapValues(\.first)
    var files: [String: [String: String]] = [:]
    var names: [String]?
    var first = ""
    for (port, paths) in found.sorted(by: { $0.key < $1.key }) where paths.count > 1 {
      var own: [String: String] = [:]
      for path in paths {
        if let other = own.updateValue(path, forKey: Self.name(of: path)) {
          throw Failure("\(other) and \(path): their outputs would have one name")
        }
      }
      if let names, Set(names) != Set(own.keys) {
        let odd = Set(names).symmetricDifference(own.keys).sorted()[0]
        let (has, lacks) = own[odd] == nil ? (first, port) : (port, first)
        throw Failure(
          "\(has) has a file named \(odd), and \(lacks) has none; inputs with several files go "
            + "together by their names")
      }
      if names == nil { (names, first) = (paths.map(Self.name), port) }
      files[port] = own
    }
    self.files = files
    self.names =
      names ?? shared.sorted { $0.key < $1.key }.prefix(1).map { Self.name(of: $0.value) }
    guard !self.names.isEmpty else {
      throw Failure("nothing to render: give --in PORT=FILES", code: .usage)
    }
  }

  /// Returns the input files of a rendering, by port.
  func files(of name: String) -> [String: String] {
    shared.merging(files.compactMapValues { $0[name] }) { $1 }
  }

  /// Returns the output files of a rendering, by port.
  ///
  /// - Parameter input: the file whose suffix the outputs get; they get `wav` if that format cannot be written.
  static func outputs(
    of plan: Plan, named name: String, after input: String, in folder: String
  ) -> [String: String] {
    let file = FilePath.name(of: input)
    let suffix = file.contains(".") ? file.split(separator: ".").last : nil
    let sound = suffix.flatMap { SampleFormat.canWrite("x.\($0)") ? String($0) : nil } ?? "wav"
    let ports = plan.outputs.map { ($0.name, sound) } + plan.midiOutputs.map { ($0.name, "mid") }
    return Dictionary(
      ports.map { port, suffix in
        (port, "\(folder)/\(name)\(ports.count > 1 ? "-\(port)" : "").\(suffix)")
      }
    ) { first, _ in first }
  }

  private static func name(of path: String) -> String {
    let file = FilePath.name(of: path)
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return String(file) }
    return String(file[..<dot])
  }
}
