import ArgumentParser

/// The program's exit codes, besides 0 for success and 64 for a wrong command line.
extension ExitCode {
  /// The command failed: no server, a file that cannot be written ...
  static let failed = ExitCode(1)
  /// A named unit, rack or file does not exist, or the rack file has errors.
  static let wrongRack = ExitCode(2)
  /// The JACK server ended, and `--end-with-server` was given.
  static let serverEnded = ExitCode(3)
}
