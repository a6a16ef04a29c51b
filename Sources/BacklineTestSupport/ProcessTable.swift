import Foundation

/// The system's processes, from /proc.
package enum ProcessTable {
  /// Whether a process runs; a zombie does not.
  package static func runs(_ process: Int) -> Bool {
    !["", "Z", "X"].contains(facts(process).state)
  }

  /// Waits until a process has ended, a minute at most; returns whether it has.
  package static func loses(_ process: Int) async throws -> Bool {
    for _ in 0..<6000 where runs(process) { try await Task.sleep(for: .milliseconds(10)) }
    return !runs(process)
  }

  /// Returns the children of a process that have a name.
  package static func children(of parent: Int, named name: String) -> Set<Int> {
    Set(
      numbers.filter { number in
        let facts = facts(number)
        return facts.name == name && facts.parent == parent
      })
  }

  /// Returns the processes that have a name.
  package static func all(named name: String) -> Set<Int> {
    Set(numbers.filter { facts($0).name == name })
  }

  /// Whether a process has mapped a file of a folder; only processes that this user may inspect
  /// count.
  package static func maps(folder: String) -> Bool {
    numbers.contains { process in
      let maps = try? String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
      return maps?.contains(" \(folder)/") ?? false
    }
  }

  private static var numbers: [Int] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int($0) }
  }

  private static func facts(_ process: Int) -> (name: String, state: String, parent: Int?) {
    // The file has the form NUMBER (NAME) STATE PARENT ...
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    guard let opening = text.firstIndex(of: "("), let closing = text.lastIndex(of: ")") else {
      return ("", "", nil)
    }
    let rest = text[closing...].split(separator: " ")
    guard rest.count > 2 else { return ("", "", nil) }
    return (
      String(text[text.index(after: opening)..<closing]), String(rest[1]), Int(rest[2])
    )
  }
}
