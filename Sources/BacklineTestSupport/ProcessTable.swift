import Foundation

/// What the system knows of processes.
package enum ProcessTable {
  /// Does it run? One that has ended, and that nobody has asked about yet, does not.
  package static func runs(_ process: Int) -> Bool {
    !["", "Z", "X"].contains(facts(process).state)
  }

  /// Does a process end? Waits a minute at the most.
  package static func loses(_ process: Int) async throws -> Bool {
    for _ in 0..<6000 where runs(process) { try await Task.sleep(for: .milliseconds(10)) }
    return !runs(process)
  }

  /// The processes of a name that another has started.
  package static func children(of parent: Int, named name: String) -> Set<Int> {
    Set(
      numbers.filter { number in
        let facts = facts(number)
        return facts.name == name && facts.parent == parent
      })
  }

  /// The processes of a name.
  package static func all(named name: String) -> Set<Int> {
    Set(numbers.filter { facts($0).name == name })
  }

  /// Does a process that we may ask have a file of that folder in its memory?
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
    // NUMBER (NAME) STATE PARENT ...
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
