import ArgumentParser
import AsyncSupport
import AudioUnits
import Dispatch
import Documents
import RackEngine
import RackModel
import UnitModel

/// A batch of renderings, of which as many run at a time as there are processors.
struct RenderBatch {
  private let tasks: [RenderTask]

  /// The state that several threads change.
  private struct State: Sendable {
    /// The progress of each task, 0 to 1.
    private var shares: [Double]
    private var done = 0.0
    var bar = ProgressBar()
    var failed = 0
    var complete = 0
    var wasTooLoud = false
    var wasInterrupted = false
    var lacksFiles = false

    init(count: Int) { shares = Array(repeating: 0, count: count) }

    mutating func show(_ share: Double, of task: Int) {
      done += share - shares[task]
      shares[task] = share
      bar.show(done / Double(shares.count))
    }
  }

  /// Creates a batch.
  ///
  /// - Throws: `Failure` if an output would replace a file that any of the tasks reads.
  init(_ tasks: [RenderTask]) throws {
    // Each rendering has a thread of its own, so further threads have no use.
    self.tasks = tasks.map { task in
      var task = task
      if tasks.count > 1 { task.checked.plan.threads = .number(1) }
      return task
    }
    let inputs = tasks.map { task in task.job.inputs.merging(task.job.messageFiles) { $1 } }
    let read = Set(inputs.flatMap(\.values).compactMap(FilePath.resolve))
    for task in tasks {
      try task.refuseToReplaceInputs()
      for file in task.job.outputs.values.sorted() where !task.job.mayReplaceInputs {
        guard let place = FilePath.resolve(file), read.contains(place) else { continue }
        throw Failure("\(file) is read as well; write to another folder, or give --force")
      }
    }
  }

  /// Runs all tasks.
  ///
  /// - Throws: `ExitCode.failed` if a task failed, once all others are complete; `tooLoud` if an output was faded out.
  func run(catalogue: ComponentCatalogue) throws {
    for folder in Set(tasks.flatMap { $0.job.outputs.values.map(FilePath.folder) }) {
      do { try Folder.make(folder) } catch { throw Failure("\(error)") }
    }
    let signals = Signals()
    let askedToStop = signals.askedToStop
    let state = Guarded(State(count: tasks.count))
    DispatchQueue.concurrentPerform(iterations: tasks.count) { [tasks] index in
      let task = tasks[index]
      let result = Result {
        try task.render(catalogue: catalogue) { share in
          if askedToStop() { throw CancellationError() }
          state.withLock { $0.show(share, of: index) }
        }
      }
      state.withLock { state in
        state.show(1, of: index)
        state.bar.finish()
        switch result {
        case .success(let report):
          state.complete += 1
          state.wasTooLoud = state.wasTooLoud || report.wasTooLoud
          print(report.line)
          for warning in report.warnings { Terminal.complain("warning: \(warning)") }
          state.lacksFiles = state.lacksFiles || report.lacksFiles
        case .failure(is CancellationError): state.wasInterrupted = true
        case .failure(let error):
          state.failed += 1
          let reason = "\(error)"
          let place = reason.contains(task.name) ? "" : "\(task.name): "
          Terminal.complain("error: \(place)\(reason)")
        }
      }
    }
    withExtendedLifetime(signals) {}
    let end = state.withLock { $0 }
    if end.wasInterrupted {
      throw Failure("interrupted; \(end.complete) of \(tasks.count) files are complete")
    }
    if end.failed == 0 && end.lacksFiles { throw ExitCode.refusedFile }
    if end.failed > 0 {
      throw Failure("\(end.failed) of \(tasks.count) failed; the others are complete")
    }
    if end.wasTooLoud { throw ExitCode.tooLoud }
  }
}

extension RenderTask {
  /// The name of the task for messages: the path of its first input.
  fileprivate var name: String {
    let plan = checked.plan
    let files = job.inputs.merging(job.messageFiles) { $1 }
    return (plan.inputs + plan.midiInputs).compactMap { files[$0.name] }.first ?? plan.name
  }
}
