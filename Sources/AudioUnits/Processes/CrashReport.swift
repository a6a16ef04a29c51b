import Documents
import UnitModel

/// What a helper program that crashed wrote to standard error (crash_report.h).
package struct CrashReport: Sendable, Equatable {
  /// “Segmentation fault while rendering Ring”
  package var cause: String
  /// The innermost first: “Ring+0x11f9 (render)”, and where its source is known
  /// “Ring+0x11f9: render at unit.c:42”.
  package var stack: [String]

  /// Nil where the lines have no report.
  package init?(lines: some Sequence<String>) {
    func texts(after mark: String) -> [String] {
      lines.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
    guard let cause = texts(after: "crash: ").last else { return nil }
    (self.cause, stack) = (cause.trimmingSpaces(), texts(after: "frame: "))
  }

  /// With the places in the source of what is in a unit's library, as far as it was built with `-g`
  /// and there is addr2line or llvm-addr2line. Waits for that program, five seconds at most.
  ///
  /// - Parameter name: of the library in the stack.
  package func located(in library: String, called name: String) -> CrashReport {
    let prefix = "\(name)+"
    let own = stack.indices.filter { stack[$0].hasPrefix(prefix) }.prefix(8)
    let offsets = own.map { place in
      String(stack[place].dropFirst(prefix.count).prefix { $0 != " " && $0 != ":" })
    }
    guard !own.isEmpty,
      let program = ["addr2line", "llvm-addr2line"].lazy.compactMap({
        try? HelperPrograms.path($0)
      }).first,
      let process = try? HelperProcess(program, ["-f", "-p", "-e", library] + offsets)
    else { return self }
    var lines: [String] = []
    _ = process.readLines(timeout: 5) { line in
      lines.append(String(decoding: line, as: UTF8.self))
      return nil
    }
    var report = self
    for ((place, offset), line) in zip(zip(own, offsets), lines) where !line.contains("??") {
      report.stack[place] = "\(prefix)\(offset): \(line)"
    }
    return report
  }

  /// The innermost frames, in a sentence: “, in Ring+0x11f9: render at unit.c:42 < backline-unit+0x4a31”.
  package static func place(in stack: [String]) -> String {
    // The C library's own are of no use, as those of abort.
    let frames = stack.drop { $0.hasPrefix("libc.so") }.prefix(3)
    return frames.isEmpty ? "" : ", in " + frames.joined(separator: " < ")
  }
}
