import Foundation

enum ProcessTable {
  /// Is a process gone within five seconds?
  static func loses(_ process: Int) async throws -> Bool {
    for _ in 0..<500 {
      if kill(pid_t(process), 0) != 0 { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// How many processes there are that render units.
  static var unitProcesses: Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.count {
      (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == "backline-unit\n"
    }
  }
}
