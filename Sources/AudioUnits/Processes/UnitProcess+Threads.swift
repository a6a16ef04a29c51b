import Documents
import Glibc

extension UnitProcess {
  /// The number of the process's own threads: one answers calls, one renders.
  static let ownThreadCount = 2

  /// The CPU time of the unit's threads so far, in clock ticks (0.01 s), and whether one of them is
  /// waiting for a disk (proc_pid_stat(5)).
  var work: (ticks: Int, isReading: Bool) {
    var work = (ticks: 0, isReading: false)
    for thread in Folder.names(in: "/proc/\(number)/task") {
      // Skip a thread that has ended meanwhile.
      guard let bytes = try? WholeFile.read("/proc/\(number)/task/\(thread)/stat", limit: 4096)
      else { continue }
      // The name may contain any characters. After it comes the state, and as fields 11 and 12 the
      // times.
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 12 else { continue }
      work.ticks += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
      work.isReading = work.isReading || fields[0] == "D"
    }
    return work
  }
}
