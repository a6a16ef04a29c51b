import Documents
import FoundationEssentials
import Glibc
import UnitModel

/// What the child process does that reads libraries nobody has looked at yet: each is loaded, its
/// units' facts are printed as a line of JSON, and if that ends the process, only this one ends.
public enum LibraryInspection {
  /// The subcommand of `backline` that does it.
  public static let command = "read-unit-libraries"

  /// One line: facts or what is wrong.
  struct Answer: Codable {
    var units: [UnitFacts] = []
    var problem: String?
  }

  /// Loads the libraries and prints an empty line and an answer for each, in order; never returns.
  public static func run(_ paths: [String]) -> Never {
    // What a library prints must not come between the answers.
    let answers = dup(STDOUT_FILENO)
    _ = fcntl(answers, F_SETFD, FD_CLOEXEC)
    let nothing = open("/dev/null", O_WRONLY)
    dup2(nothing, STDOUT_FILENO)
    dup2(nothing, STDERR_FILENO)
    // What the kernel lacks is told where units are validated or played.
    _ = UnitConfinement(libraryPaths: paths, limits: (memory: 0, descriptors: 0, fileSize: 1 << 20))
      .begin(writingRefusalsTo: answers)
    // Before the first: that it has started, so that only libraries are held to their time.
    _ = write(answers, "\n", 1)
    for path in paths {
      guard var line = try? coder.encode(answer(for: path)) else { _exit(1) }
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

  /// Facts as bytes; infinities are numbers like others.
  static var coder: JSONEncoder {
    let coder = JSONEncoder()
    coder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return coder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
