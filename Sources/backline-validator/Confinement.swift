@preconcurrency import Foundation
@preconcurrency import Glibc

/// Keeps a process that runs somebody else's unit from doing harm.
enum Confinement {
  /// Standard output for our own use; what the unit prints goes nowhere.
  static func takeOutput() -> FileHandle {
    let output = FileHandle(fileDescriptor: fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10))
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(nowhere, STDOUT_FILENO)
    close(nowhere)
    // What is printed has to show as a call, not lie in a buffer.
    setvbuf(stdout, nil, _IONBF, 0)
    return output
  }

  /// Standard input closes when the parent is gone.
  static func endWithParent() {
    setpgid(0, 0)
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) != 0 {}
      _exit(1)
    }
  }

  /// `sparesAddresses`: no sanitizer needs all of the address space.
  static func limit(processorTime: Int, sparesAddresses: Bool) {
    set(RLIMIT_CORE, 0)
    set(RLIMIT_CPU, processorTime)
    set(RLIMIT_FSIZE, 64 << 20)
    set(RLIMIT_NOFILE, 256)
    if sparesAddresses { set(RLIMIT_AS, 8 << 30) }
  }

  private static func set(_ resource: __rlimit_resource, _ value: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }
}
