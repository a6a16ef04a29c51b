import ArgumentParser

/// What the program's exit codes mean, besides 0 for success and 64 for a wrong command line.
extension ExitCode {
  /// Something could not be done: no server, a file that cannot be written ...
  static let failed = ExitCode(1)
  /// What is named is not there, or the rack file is wrong.
  static let wrongRack = ExitCode(2)
  /// The JACK server ended while the rack was playing, which was to end with it.
  static let serverEnded = ExitCode(3)
}
