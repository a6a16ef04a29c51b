import Documents
import Glibc

extension UnitProcess {
  /// The thread that answers calls, and the one that renders.
  static let ownThreadCount = 2

  /// The time that its threads have worked so far, in the system's ticks (0.01 s), and whether one of them
  /// waits for a disk now (proc_pid_stat(5)).
  var work: (ticks: Int, isReading: Bool) {
    var work = (ticks: 0, isReading: false)
    for thread in Folder.names(in: "/proc/\(number)/task") {
      // One that has ended meanwhile has nothing to say.
      guard let bytes = try? WholeFile.read("/proc/\(number)/task/\(thread)/stat", limit: 4096)
      else { continue }
      // Behind the name, which may have any characters: the state, and in places 11 and 12 the times.
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 12 else { continue }
      work.ticks += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
      work.isReading = work.isReading || fields[0] == "D"
    }
    return work
  }
}
