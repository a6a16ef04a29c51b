import AsyncSupport
import CConfinement
import Documents
import FoundationEssentials
import Glibc
import UnitModel

/// Reads libraries in child processes, so that a faulty library cannot harm this one.
struct LibraryInspector {
  /// The `backline` program, which runs `LibraryInspection`.
  var program: String

  /// The timeout for loading a library, seconds.
  private static let timeout = 5.0
  /// The timeout for the child's start on a busy machine, seconds.
  private static let startTimeout = 60.0
  /// The most libraries per child, since argument lists are limited.
  private static let maximumPaths = 256

  /// Returns the units of each library, or its fault; in the order of `paths`.
  func units(of paths: [String]) -> [Result<[UnitFacts], BundleFault>] {
    var answers: [Result<[UnitFacts], BundleFault>] = []
    while answers.count < paths.count {
      let rest = paths[answers.count...].prefix(Self.maximumPaths)
      var (found, fault) = read(Array(rest))
      answers += found
      guard found.count < rest.count else { continue }
      let culprit = paths[answers.count]
      // An earlier library may have broken the process: read this one again alone.
      (found, fault) = found.isEmpty ? ([], fault) : read([culprit])
      answers.append(
        found.first
          ?? .failure(BundleFault("\(culprit): \(fault)", isTransient: fault.isTransient)))
    }
    return answers
  }

  /// Returns the answers, and the reason why they ended.
  private func read(
    _ paths: [String]
  ) -> (answers: [Result<[UnitFacts], BundleFault>], fault: BundleFault) {
    var answers: [Result<[UnitFacts], BundleFault>] = []
    var refusal: String?
    let child: HelperProcess
    do {
      child = try HelperProcess(program, [LibraryInspection.command, "--"] + paths)
    } catch {
      return ([], BundleFault("\(error), to read it", isTransient: true))
    }
    let end = child.readLines(timeout: Self.startTimeout) { line in
      if line.starts(with: BL_REFUSAL_PREFIX.utf8) {
        refusal = String(decoding: line, as: UTF8.self)
      } else if !line.isEmpty, answers.count < paths.count {
        answers.append(Self.answer(line))
      }
      return Self.timeout
    }
    let fault =
      switch end {
      case .timeout:
        BundleFault("loading it takes longer than \(Int(Self.timeout)) seconds", isTransient: true)
      case .tooLongLine: BundleFault("its tables are larger than any unit needs")
      case .signal(let number):
        BundleFault("loading it crashes: \(String(cString: strsignal(number)))")
      case .exit(BL_CONFINEMENT_EXIT_REFUSED) where refusal != nil:
        BundleFault("loading it is \(refusal ?? "")")
      case .exit(let code): BundleFault("loading it ends the program (exit code \(code))")
      }
    return (answers, fault)
  }

  private static func answer(_ line: ArraySlice<UInt8>) -> Result<[UnitFacts], BundleFault> {
    guard
      let answer = try? CacheFile.decoder.decode(
        LibraryInspection.Answer.self, from: Data(line))
    else { return .failure(BundleFault("the child process sent an unknown answer")) }
    return answer.problem.map { .failure(BundleFault($0)) } ?? .success(answer.units)
  }
}
