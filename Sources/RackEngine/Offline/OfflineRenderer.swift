import AudioUnits
import Documents
import RackModel
import SoundFiles

/// Plays a rack into files, as fast as the processor can.
///
/// Offline effects divide the rendering into parts: each effect reads the whole sound of the part before.
/// These sounds are kept beside the first output file meanwhile.
public final class OfflineRenderer {
  private let plan: Plan
  private let job: OfflineJob
  /// The sample rate, Hz.
  private let sampleRate: Double
  private let parts: [OfflinePart]
  private let renderers: [PartRenderer]
  /// The offline effects, by the index of their unit in the plan.
  private let effects: [Int: OfflineEffect]
  /// The files of audio inputs, with their paths.
  private var files: [(path: String, reader: SoundFileReader)] = []
  /// The sounds between parts.
  private var spools: [OfflinePart.End: SoundSpool] = [:]
  /// Parts and effects that are done.
  private var done = 0

  /// The length of a rendering without inputs or a given length, seconds.
  public static let defaultLength = PartRenderer.defaultLength
  static let longestTail = PartRenderer.longestTail
  static let longestMaterial = PartRenderer.longestMaterial

  /// Opens the inputs and creates the units.
  ///
  /// - Throws: `RackError` or `SoundFileError` that names the file, port or unit.
  public init(
    _ plan: Plan, catalogue: ComponentCatalogue, job: OfflineJob
  ) throws {
    try job.check(against: plan)
    var plan = plan
    let targets = Set(job.automation.map(\.target))
    plan.automation.removeAll { targets.contains($0.target) }
    plan.automation += job.automation
    (self.plan, self.job) = (plan, job)
    let rate = try job.renderRate(of: plan)
    sampleRate = rate
    parts = plan.offlineParts
    var files: [(path: String, reader: SoundFileReader)] = []
    var renderers: [PartRenderer] = []
    for part in parts {
      let sources = try part.inputs.map { end -> (any OfflineSource)? in
        guard case .port(let port) = end, let path = job.inputs[plan.inputs[port].name] else {
          return nil
        }
        let reader = try job.open(path, plan.inputs[port], rate: rate)
        files.append((path, reader))
        return reader
      }
      renderers.append(
        try PartRenderer(
          part.plan, catalogue: catalogue,
          job: parts.count == 1 ? job : job.of(part, isFirst: renderers.isEmpty),
          sampleRate: rate, sources: sources))
    }
    (self.renderers, self.files) = (renderers, files)
    var effects: [Int: OfflineEffect] = [:]
    for index in parts.flatMap(\.effects) {
      effects[index] = try OfflineEffect(plan.units[index], catalogue: catalogue, sampleRate: rate)
    }
    self.effects = effects
  }

  /// Renders everything; `progress` receives the share done, 0...1, and ends the rendering by
  /// throwing.
  ///
  /// The files appear when all of them are complete; on an error there are none.
  public func render(
    progress: (Double) throws -> Void = { _ in }
  ) throws -> OfflineResult {
    let writers = try plan.outputs.map { port in
      try job.outputs[port.name].map {
        try SoundFileWriter(
          path: $0, channelCount: port.channelCount, sampleRate: sampleRate,
          samples: job.samples, isDithered: job.isDithered)
      }
    }
    let midiFiles = plan.midiOutputs.map { job.outputs[$0.name] }
    var result = OfflineResult(sampleRate: sampleRate)
    var midi: MIDISink?
    done = 0
    for (index, (part, renderer)) in zip(parts, renderers).enumerated() {
      let own = try render(part, by: renderer, into: writers, midiFiles: midiFiles, progress)
      result.add(own.result)
      result.refusals += renderer.refusals
      midi = own.midi
      try renderEffects(of: part, progress)
      let later = parts.dropFirst(index + 1).flatMap(\.inputs)
      spools = spools.filter { later.contains($0.key) }
    }
    for (path, reader) in files where reader.isCutShort && !result.incompleteInputs.contains(path) {
      result.incompleteInputs.append(path)
    }
    for writer in writers { try writer?.complete() }
    try midi?.complete(upTo: result.frames)
    try WholeFile.putInPlace(
      writers.compactMap { $0.map { ($0.temporaryPath, $0.place) } }
        + (midi?.files ?? []).map { ($0.temporary, $0.place) })
    for case let writer? in writers where writer.clippedSamples > 0 {
      result.clippedSamples[writer.path] = writer.clippedSamples
    }
    return result
  }

  private func render(
    _ part: OfflinePart, by renderer: PartRenderer, into writers: [SoundFileWriter?],
    midiFiles: [String?], _ progress: (Double) throws -> Void
  ) throws -> (result: OfflineResult, midi: MIDISink) {
    for (index, end) in part.inputs.enumerated() {
      if let spool = spools[end] { renderer.sources[index] = SpoolReader(spool) }
    }
    let destinations = try zip(part.outputs, part.plan.outputs).map {
      end, port -> (any OfflineDestination)? in
      if case .port(let index) = end { return writers[index] }
      let spool = try SoundSpool(folder: folder, channelCount: port.channelCount)
      spools[end] = spool
      return spool
    }
    // A sound between two parts must not be late, since no later part compensates for that.
    let removesLatency = job.removesLatency || parts.count > 1
    let own = try renderer.render(
      into: destinations, midiFiles: midiFiles, removesLatency: removesLatency
    ) { try progress(share($0)) }
    renderer.sources = []
    done += 1
    return own
  }

  private func renderEffects(of part: OfflinePart, _ progress: (Double) throws -> Void) throws {
    for index in part.effects {
      guard let effect = effects[index], let sound = spools.removeValue(forKey: .effect(index))
      else { continue }
      spools[.sound(.unit(index, bus: 0))] = try effect.render(sound, folder: folder) {
        try progress(share($0))
      }
      done += 1
    }
  }

  /// The folder of the sounds between parts: that of the first output file.
  private var folder: String {
    let file = plan.outputs.compactMap { job.outputs[$0.name] }.first.flatMap(FilePath.resolve)
    return file.map(FilePath.folder) ?? "."
  }

  /// Returns the share of the whole job that is done, from that of the present part or effect; both 0...1.
  private func share(_ own: Double) -> Double {
    (Double(done) + own) / Double(parts.count + effects.count)
  }
}
