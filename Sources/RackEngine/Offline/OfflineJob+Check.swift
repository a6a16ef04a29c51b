import Documents
import RackModel
import SoundFiles

extension OfflineJob {
  /// The longest rendering, seconds: a week.
  static let longestTime = 604_800.0

  /// Throws if the job cannot be done with this plan, before any file is opened.
  func check(against plan: Plan) throws(RackError) {
    try checkNames(of: plan)
    var places: Set<String> = []
    for file in outputs.values.sorted() {
      guard places.insert(FilePath.resolve(file) ?? file).inserted else {
        throw RackError("\(file): two outputs cannot go into one file")
      }
    }
    if !mayReplaceInputs, let replaced = replacedInput(of: plan) { throw RackError(replaced) }
    guard Set(automation.map(\.target)).count == automation.count else {
      throw RackError("two lanes move one parameter")
    }
    let times =
      messages.map(\.time) + automation.flatMap { $0.points.map(\.time) } + [length ?? 0]
    for time in times where !(abs(time) <= Self.longestTime) {
      throw RackError("a time of \(time) s is out of reach (a week)")
    }
  }

  /// Returns the error for an output that would replace a file that is read; nil if there is none.
  public func replacedInput(of plan: Plan) -> String? {
    var readers: [String: String] = [:]
    for unit in plan.units {
      for property in unit.properties {
        if let place = Self.place(of: property.value) { readers[place] = "unit \(unit.name)" }
      }
    }
    for (name, file) in messageFiles.merging(inputs, uniquingKeysWith: { $1 }) {
      if let place = Self.place(of: file) { readers[place] = "input \(name)" }
    }
    for (name, file) in outputs.sorted(by: { $0.key < $1.key }) {
      if let reader = Self.place(of: file).flatMap({ readers[$0] }) {
        return "\(file): output \(name) would take the place of what \(reader) reads"
      }
    }
    return nil
  }

  /// Returns the resolved path of a file; nil if the file does not exist.
  private static func place(of file: String) -> String? {
    WholeFile.isThere(file) ? FilePath.resolve(file) : nil
  }

  private func checkNames(of plan: Plan) throws(RackError) {
    for (kind, names, ports) in [
      ("audio input", inputs.keys.sorted(), plan.inputs),
      ("output", outputs.keys.sorted(), plan.outputs + plan.midiOutputs),
    ] {
      for name in names where !ports.contains(where: { $0.name == name }) {
        guard kind == "output" || !plan.midiInputs.contains(where: { $0.name == name }) else {
          throw RackError("\(name) of rack \(plan.name) is a MIDI input, which takes a MIDI file")
        }
        let known = ports.map(\.name).joined(separator: ", ")
        throw RackError(
          "rack \(plan.name) has no \(kind) \(name); "
            + (known.isEmpty ? "it has none" : "it has \(known)"))
      }
    }
  }

  /// Returns the sample rate to render at, Hz: the job's, or that of the first input file, or 48 kHz.
  func renderRate(of plan: Plan) throws -> Double {
    if let sampleRate { return sampleRate }
    let path = plan.inputs.compactMap { inputs[$0.name] }.first
    return try path.map(SoundFileReader.sampleRate(ofFileAt:)) ?? 48_000
  }

  /// Returns the job of a part. Only the first part has the job's length, and its lanes, which lengthen it.
  func of(_ part: OfflinePart, isFirst: Bool) -> OfflineJob {
    var job = self
    if part.plan.midiCables.isEmpty && part.plan.controls.isEmpty { job.messages = [] }
    guard !isFirst else { return job }
    job.length = nil
    job.automation = []
    return job
  }

  /// Opens the file of an input, resampled to `rate`, Hz.
  ///
  /// - Throws: `RackError` if the channels do not fit the port; `SoundFileError`.
  func open(_ path: String, _ port: Port, rate: Double) throws -> SoundFileReader {
    let file = try SoundFileReader(path: path, sampleRate: rate)
    guard file.width == 1 || file.width == port.channelCount else {
      let fitting = port.channelCount == 1 ? "of one" : "of as many, or of one"
      throw RackError(
        "\(path) has \(file.width) channels, but input \(port.name) has"
          + " \(port.channelCount); give it a file \(fitting)")
    }
    return file
  }
}
