import Documents
import FoundationEssentials
import Glibc
import UnitModel

/// The child process that reads libraries for the first time: it loads each and prints its units'
/// facts as a line of JSON. A library that crashes ends only this process.
package enum LibraryInspection {
  /// The subcommand of `backline` that does it.
  package static let command = "read-unit-libraries"

  /// One line of output: facts, or the reason why there are none.
  struct Answer: Codable {
    var units: [UnitFacts] = []
    var problem: String?
  }

  /// Loads the libraries and prints an empty line and an answer for each, in order; never returns.
  package static func run(_ paths: [String]) -> Never {
    // Keep a library's own output apart from the answers.
    let answers = dup(STDOUT_FILENO)
    _ = fcntl(answers, F_SETFD, FD_CLOEXEC)
    let nothing = open("/dev/null", O_WRONLY)
    dup2(nothing, STDOUT_FILENO)
    dup2(nothing, STDERR_FILENO)
    // Missing kernel features are reported when units are validated or played.
    _ = UnitConfinement(libraryPaths: paths, limits: (memory: 0, descriptors: 0, fileSize: 1 << 20))
      .apply(writingRefusalsTo: answers)
    // Report the start, so that the timeout covers the libraries alone.
    _ = write(answers, "\n", 1)
    for path in paths {
      guard var line = try? CacheFile.encoder.encode(answer(for: path)) else { _exit(1) }
      line.append(UInt8(ascii: "\n"))
      guard line.withUnsafeBytes({ write(answers, $0.baseAddress, $0.count) }) == line.count else {
        _exit(1)
      }
    }
    _exit(0)
  }

  private static func answer(for path: String) -> Answer {
    do {
      let units = try UnitLibrary.open(path, called: path)
      return Answer(units: units.map { UnitFacts($0.pointer.pointee) })
    } catch {
      return Answer(problem: error.description)
    }
  }
}
