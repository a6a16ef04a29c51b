import CUnitHost
import Documents
import UnitModel

extension Check {
  /// If this check fails, no other check runs.
  static let opening = Check("opening", "opens and gets ready as it is") { subject in
    let clock = ContinuousClock()
    let times = try (0..<6).map { _ in try clock.measure { _ = try subject.host() } }
    return .pass(
      "\(written(times[0])) cold, \(written(times.dropFirst().min() ?? times[0])) warm")
  }

  /// Hosts open units while the music plays.
  static let openingTime = Check(
    "opening-time", "opens within a second", needsOwnProcess: true
  ) { subject in
    let limit = Duration.seconds(1)
    let queued = queueing
    let elapsed = try ContinuousClock().measure { _ = try subject.host() }
    let time = elapsed - (queueing - queued)
    if time > limit { throw Fault("takes \(written(time)), more than \(written(limit))") }
    return .pass()
  }

  /// The time for which this thread has waited for a processor.
  private static var queueing: Duration {
    // The file has the nanoseconds on a processor, and waiting for one.
    let facts = (try? WholeFile.read("/proc/thread-self/schedstat", limit: 200)) ?? []
    let fields = String(decoding: facts, as: UTF8.self).split(separator: " ")
    return .nanoseconds(fields.count > 1 ? Int(fields[1]) ?? 0 : 0)
  }

  private static func written(_ time: Duration) -> String {
    "\((time / .microseconds(10)).rounded() / 100) ms"
  }

  static let manyInstances = Check("many-instances", "is made and destroyed a thousand times") {
    subject in
    let unit = subject.descriptor.pointee
    let format = subject.plainFormat(maximumFrames: 256)
    for number in 1...1000 {
      guard let instance = unit.create(subject.descriptor) else {
        throw Fault("create answers NULL at instance \(number)")
      }
      defer { unit.destroy(instance) }
      guard number % 10 == 0 else { continue }
      let status = format.withConfiguration { unit.allocate_render_resources(instance, &$0) }
      guard status == 0 else { throw Fault("refuses instance \(number) with status \(status)") }
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
      subject.report("\(format)")
      let status = format.withConfiguration { unit.allocate_render_resources(instance, &$0) }
      guard status == 0 else { throw Fault("refuses \(format) with status \(status)") }
      unit.reset(instance)
      unit.deallocate_render_resources(instance)
    }
    return .pass()
  }

  static let resources = Check(
    "resources", "gives back memory, files and threads", needsOwnProcess: true
  ) { subject in
    let format = subject.plainFormat(maximumFrames: 256)
    let count = 50
    func use(_ instances: Int) throws {
      for _ in 0..<instances {
        _ = try subject.render(
          subject.noise(300, in: format, events: subject.events(300, in: format)))
      }
    }
    // The first instances fill permanent caches.
    try use(10)
    let before = ProcessUse()
    try use(count)
    let after = ProcessUse()
    var growth = after.memory - before.memory
    // Memory that this program keeps grows once; memory that the unit leaks grows every time.
    for _ in 0..<2 {
      let start = ProcessUse().memory
      try use(count)
      growth = min(growth, ProcessUse().memory - start)
    }
    let (files, threads) = (
      after.descriptors - before.descriptors, after.threads - before.threads
    )
    if files > 0 { throw Fault("\(files) files stay open after \(count) instances") }
    if threads > 0 { throw Fault("\(threads) threads stay after \(count) instances") }
    // One block per instance, however small, is a leak.
    if growth > count * 16 { throw Fault("\(growth / count) bytes stay of every instance") }
    return .pass("after \(count) instances")
  }
}

/// The resource usage of this process.
private struct ProcessUse {
  /// The heap and mapped memory in use, bytes.
  let memory = bl_heap_use()
  let descriptors = Folder.names(in: "/proc/self/fd").count
  let threads = Folder.names(in: "/proc/self/task").count
}
