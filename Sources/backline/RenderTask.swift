import AudioUnits
import Glibc
import RackEngine
import RackModel
import SoundFiles

/// One rendering of a rack.
struct RenderTask: Sendable {
  var checked: CheckedRack
  var job: OfflineJob

  /// The results of a rendering.
  struct Report: Sendable {
    /// Whether a unit was denied a file, and may sound different.
    var lacksFiles = false
    var line: String
    var warnings: [String]
    /// Whether an output was faded out.
    var wasTooLoud: Bool
  }

  /// Checks that no output replaces an input.
  ///
  /// - Throws: `Failure` if an output would replace a file that is read.
  func refuseToReplaceInputs() throws {
    if !job.mayReplaceInputs, let replaced = job.replacedInput(of: checked.plan) {
      throw Failure("\(replaced); write to another file, or give --force")
    }
  }

  /// Whether a denied call, `openat /home/anna/kit.xml: it is not …`, names an existing file, as units also look for
  /// optional files.
  private static func isThere(_ call: String) -> Bool {
    call.matches(of: /\/.*?(?=: )/).contains { access(String($0.output), F_OK) == 0 }
  }

  func render(
    catalogue: ComponentCatalogue, progress: (Double) throws -> Void
  ) throws -> Report {
    var job = job
    let warnings: [String]
    (job.messages, warnings) = try RenderMaterial.messages(job.messageFiles, plan: checked.plan)
    let renderer: OfflineRenderer
    do {
      renderer = try OfflineRenderer(checked.plan, catalogue: catalogue, job: job)
    } catch let error as RackError where error.isOfRack {
      throw Failure("\(error)", code: .wrongRack)
    }
    let start = ContinuousClock.now
    let result = try renderer.render(progress: progress)
    return report(result, warnings, took: ContinuousClock.now - start)
  }

  private func report(
    _ result: OfflineResult, _ inputWarnings: [String], took: Duration
  ) -> Report {
    let seconds = Double(result.frames) / result.sampleRate
    let duration = Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
    let files = job.outputs.values.sorted().joined(separator: ", ")
    let speed = duration > 0 ? ", \(Int((seconds / duration).rounded())) times real time" : ""
    let length = "\((seconds * 100).rounded() / 100) s at \(Int(result.sampleRate)) Hz"
    let formats = Set(
      checked.plan.outputs.compactMap { job.outputs[$0.name] }.map {
        SampleFormat.name(of: $0, asked: job.samples)
      })
    var warnings = inputWarnings
    warnings += result.clippedSamples.sorted { $0.key < $1.key }.map { file, count in
      "\(file): \(count) samples were above full scale and were clipped; turn an output"
        + " down, or keep them with --bits float"
    }
    warnings += result.incompleteInputs.map { "\($0) is cut short; its readable part was rendered" }
    warnings += result.fileWarnings
    warnings += result.faultyUnits.map {
      "\($0) produced NaN or infinity, or failed to render; it was muted"
    }
    warnings += result.loudOutputs.map { "\($0)" }
    warnings += result.absentUnits.map { "\($0) missed cycles; its input passed through instead" }
    if let missing = AudioUnit.missingConfinement {
      warnings.append(UnitConfinement.warning(missing: missing))
    }
    if result.lostEvents > 0 {
      warnings.append("\(result.lostEvents) events were lost: too many at one time")
    }
    warnings += result.refusals.map { "unit \($0.unit) \(ProcessEvent.refused($0.call))" }
    let lacksFiles = result.refusals.contains { Self.isThere($0.call) }
    return Report(
      lacksFiles: lacksFiles,
      line: "\(files): \(([length] + formats.sorted()).joined(separator: ", "))\(speed)",
      warnings: warnings, wasTooLoud: !result.loudOutputs.isEmpty)
  }
}
