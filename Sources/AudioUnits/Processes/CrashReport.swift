import Documents
import UnitModel

/// The crash report that a helper program wrote to standard error (crash_report.h).
package struct CrashReport: Sendable, Equatable {
  /// The cause; “Segmentation fault while rendering Ring”.
  package var cause: String
  /// The stack, innermost frame first: “Ring+0x11f9 (render)”, or if its source is known
  /// “Ring+0x11f9: render at unit.c:42”.
  package var stack: [String]

  /// Parses a report; nil if the lines contain none.
  package init?(lines: some Sequence<String>) {
    func texts(after mark: String) -> [String] {
      lines.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
    guard let cause = texts(after: "crash: ").last else { return nil }
    (self.cause, stack) = (cause.trimmingSpaces(), texts(after: "frame: "))
  }

  /// Returns the report with source positions of frames in a unit's library, if it was built with
  /// `-g` and addr2line or llvm-addr2line is installed. Waits for that program, five seconds at
  /// most.
  ///
  /// - Parameter name: the library's name in the stack.
  package func located(in library: String, called name: String) -> CrashReport {
    let prefix = "\(name)+"
    let own = stack.indices.filter { stack[$0].hasPrefix(prefix) }.prefix(8)
    let offsets = own.map { index in
      String(stack[index].dropFirst(prefix.count).prefix { $0 != " " && $0 != ":" })
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
    for ((index, offset), line) in zip(zip(own, offsets), lines) where !line.contains("??") {
      report.stack[index] = "\(prefix)\(offset): \(line)"
    }
    return report
  }

  /// Returns the innermost frames as part of a sentence: “, in Ring+0x11f9: render at unit.c:42 <
  /// backline-unit+0x4a31”.
  package static func location(in stack: [String]) -> String {
    // Skip the C library's own frames, such as abort's.
    let frames = stack.drop { $0.hasPrefix("libc.so") }.prefix(3)
    return frames.isEmpty ? "" : ", in " + frames.joined(separator: " < ")
  }
}
