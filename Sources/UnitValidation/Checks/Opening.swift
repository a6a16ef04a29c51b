import Documents
import UnitModel

extension Check {
  /// Hosts open units while the music plays, and people wait for it.
  private static let patience = Duration.seconds(1)

  /// Without it there is nothing to look at, and no other check runs.
  static let opening = Check("opening", "opens and gets ready as it is") { subject in
    let before = ContinuousClock.now
    _ = try subject.host()
    let cold = ContinuousClock.now - before
    let warm = try (0..<5).map { _ in
      let before = ContinuousClock.now
      _ = try subject.host()
      return ContinuousClock.now - before
    }
    return .pass("\(written(cold)) cold, \(written(warm.min() ?? cold)) warm")
  }

  static let openingTime = Check(
    "opening-time", "opens within a second", needsOwnProcess: true
  ) { subject in
    let (before, queued) = (ContinuousClock.now, queueing)
    _ = try subject.host()
    let time = ContinuousClock.now - before - (queueing - queued)
    if time > patience { throw Fault("takes \(written(time)), more than \(written(patience))") }
    return .pass()
  }

  /// What this thread has waited for a processor that others had: none of the unit's doing.
  private static var queueing: Duration {
    // Nanoseconds on a processor, and waiting for one.
    let facts = (try? WholeFile.read("/proc/thread-self/schedstat", limit: 200)) ?? []
    let fields = String(decoding: facts, as: UTF8.self).split(separator: " ")
    return .nanoseconds(fields.count > 1 ? Int(fields[1]) ?? 0 : 0)
  }

  private static func written(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return "\((milliseconds * 100).rounded() / 100) ms"
  }

  static let manyInstances = Check("many-instances", "is made and destroyed a thousand times") {
    subject in
    let unit = subject.descriptor.pointee
    let format = subject.plainFormat(maximumFrames: 256)
    for turn in 1...1000 {
      guard let instance = unit.create(subject.descriptor) else {
        throw Fault("create answers NULL at instance \(turn)")
      }
      defer { unit.destroy(instance) }
      guard turn % 10 == 0 else { continue }
      let status = format.withConfiguration { unit.allocate_render_resources(instance, $0) }
      guard status == 0 else { throw Fault("refuses instance \(turn) with status \(status)") }
      unit.deallocate_render_resources(instance)
    }
    return .pass()
  }

  static let reallocation = Check("reallocation", "takes and gives back its resources") { subject in
    let unit = subject.descriptor.pointee
    guard let instance = unit.create(subject.descriptor) else { throw Fault("create answers NULL") }
    defer { unit.destroy(instance) }
    for (sampleRate, maximumFrames) in [(44_100.0, 16), (192_000, 8192), (8000, 1), (48_000, 64)] {
      let format = subject.plainFormat(sampleRate: sampleRate, maximumFrames: maximumFrames)
      subject.note("\(format)")
      let status = format.withConfiguration { unit.allocate_render_resources(instance, $0) }
      guard status == 0 else { throw Fault("refuses \(format) with status \(status)") }
      unit.reset(instance)
      unit.deallocate_render_resources(instance)
    }
    return .pass()
  }
}
