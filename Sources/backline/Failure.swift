import ArgumentParser
import Documents

/// An error that ends a command: a line for standard error, and the exit code.
struct Failure: Error, CustomStringConvertible {
  let description: String
  let code: ExitCode

  /// - Parameters:
  ///   - word: an unknown word.
  ///   - known: the known words, of which the nearest is suggested.
  init(
    _ reason: String, code: ExitCode = .failed, nearestTo word: String = "",
    in known: some Sequence<String> = [String]()
  ) {
    description = reason + advice(nearestWord(to: word, in: known))
    self.code = code
  }

  /// Creates the error of a rack file, set list or preset with errors.
  init(_ diagnostics: [Diagnostic]) {
    self.init(diagnostics.map(\.description).joined(separator: "\n"), code: .wrongRack)
  }
}

/// Returns `; did you mean “echo”?`, or an empty text without a suggestion.
func advice(_ suggestion: String?) -> String {
  suggestion.map { "; did you mean “\($0)”?" } ?? ""
}

/// The program's exit codes, besides 0 for success.
extension ExitCode {
  /// The command failed: no server, a file that cannot be written ...
  static let failed = ExitCode(1)
  /// A named unit, rack or file does not exist, or the rack file has errors.
  static let wrongRack = ExitCode(2)
  /// The JACK server ended, and `--end-with-server` was given.
  static let serverEnded = ExitCode(3)
  /// A rendering is complete, but an output was above its ceiling and was faded out.
  static let tooLoud = ExitCode(4)
  /// The command line is wrong: 64.
  static let usage = ExitCode.validationFailure
  /// A file is rendered, but a unit was denied a file that it tried to read.
  static let refusedFile = ExitCode(5)
}
