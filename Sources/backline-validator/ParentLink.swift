@preconcurrency import Glibc

/// The process's ties to its parent.
enum ParentLink {
  /// Moves standard output out of the unit's reach; returns the new descriptor. The unit's own
  /// output goes to /dev/null.
  static func takeOutput() -> Int32 {
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(nowhere, STDOUT_FILENO)
    close(nowhere)
    // Unbuffered, so that printing is detected as a system call.
    setvbuf(stdout, nil, _IONBF, 0)
    return output
  }

  /// Ends the process when the parent is gone and standard input closes.
  static func endWithParent() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) != 0 {}
        _exit(1)
      }, nil)
  }

  /// Limits the processor time for good, seconds.
  static func limit(processorTime: Int) {
    var limit = rlimit(rlim_cur: rlim_t(processorTime), rlim_max: rlim_t(processorTime))
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
  }
}
