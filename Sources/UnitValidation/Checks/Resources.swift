import CUnitHost
import Documents

extension Check {
  static let resources = Check(
    "resources", "gives back memory, files and threads", needsOwnProcess: true
  ) { subject in
    func use() throws {
      let format = subject.plainFormat(maximumFrames: 256)
      _ = try subject.host(format).render(
        subject.noiseJob(format, frames: 300, events: subject.events(frames: 300, in: format)))
    }
    let turns = 50
    // The first instances fill caches that stay.
    for _ in 0..<10 { try use() }
    let before = ProcessUse.now
    for _ in 0..<turns { try use() }
    let after = ProcessUse.now
    var growth = after.memory - before.memory
    // What this program keeps for itself comes once; what a unit leaves comes every time.
    for _ in 0..<2 {
      let start = ProcessUse.now.memory
      for _ in 0..<turns { try use() }
      growth = min(growth, ProcessUse.now.memory - start)
    }
    if after.descriptors > before.descriptors {
      throw Fault(
        "\(after.descriptors - before.descriptors) files stay open after \(turns) instances")
    }
    if after.threads > before.threads {
      throw Fault("\(after.threads - before.threads) threads stay after \(turns) instances")
    }
    // A block an instance, however small, is a leak.
    if growth > turns * 16 { throw Fault("\(growth / turns) bytes stay of every instance") }
    return .pass("after \(turns) instances")
  }
}

/// What this process holds.
private struct ProcessUse {
  /// Bytes in use on the heap and mapped by it.
  var memory: Int
  var descriptors: Int
  var threads: Int

  static var now: ProcessUse {
    func count(_ folder: String) -> Int { Folder.names(in: folder).count }
    return ProcessUse(
      memory: bl_heap_use(), descriptors: count("/proc/self/fd"),
      threads: count("/proc/self/task"))
  }
}
