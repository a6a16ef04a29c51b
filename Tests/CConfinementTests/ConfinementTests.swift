import BacklineTestSupport
import CConfinement
import Foundation
import Testing

/// The system calls of a hostile unit are refused, and each refusal is reported.
@Suite(
  .enabled(if: FaultyUnit.clang != nil, "clang is not on the PATH"),
  .disabled(if: isSanitized, "a sanitizer makes calls of its own"))
struct ConfinementTests {
  private let unit: ConfinedUnit
  private let others: TemporaryFolder

  init() throws {
    unit = try ConfinedUnit()
    others = try TemporaryFolder()
  }

  @Test func aGoodUnitNoticesNothing() throws {
    let outcome = try unit.perform("be-good \(unit.data.path("state"))")
    #expect(outcome.exitCode == 0 && outcome.isDone && outcome.refusals.isEmpty, "\(outcome)")
  }

  @Test func aBundleIsRead() throws {
    let outcome = try unit.perform("read-file \(try unit.bundle.write("asset", bytes: [1]))")
    #expect(outcome.isDone && outcome.refusals.isEmpty, "\(outcome)")
  }

  /// Deeds that reach out of the process, and their refusals. The process is ended.
  static let deadly = [
    "fork": "clone: units may not start processes",
    "vfork": "clone: units may not start processes",
    "exec": "execve: units may not start processes",
    "start-program": "clone: units may not start processes",
    "trace-host": "ptrace: units may not touch other processes",
    "read-memory-of-host": "process_vm_readv: units may not touch other processes",
    "signal-host": "kill: units may not touch other processes",
    "signal-group": "kill: units may not touch other processes",
    "signal-by-descriptor": "fcntl: units may not touch other processes",
    "io-uring": "io_uring_setup: units may not use this part of the kernel",
    "unshare": "unshare: units may not change the system",
    "go-unnamed": "clone: units may not start processes",
  ]

  @Test(arguments: deadly.keys.sorted()) func reachingOutIsTheEnd(_ deed: String) throws {
    let outcome = try unit.perform(deed)
    #expect(outcome.exitCode == BL_CONFINEMENT_EXIT_REFUSED, "\(outcome)")
    #expect(outcome.refusals.last == "refused: \(Self.deadly[deed] ?? "")", "\(outcome)")
    #expect(!outcome.isDone)
  }

  /// Deeds that an honest library may try, and their refusals. The call fails, and the process runs
  /// on.
  static let harmless = [
    "internet": "socket: units may not use the network",
    "unix-socket": "socket: units may not use the network",
    "abstract-socket": "socket: units may not use the network",
    "netlink": "socket: units may not use the network",
    "raise-limits": "prlimit64: units have the limits that the host sets",
    "raise-priority": "sched_setscheduler: units have the priority that the host grants them",
    "hide-memory": "memfd_create: units may not share memory",
    "shared-segment": "shmget: units may not share memory",
    "attach-segment": "shmat: units may not share memory",
    "semaphores": "semget: units may not share memory",
    "message-queue": "msgget: units may not share memory",
    "seal-memory": "fcntl: units may not share memory",
    "eat-memory": "mmap: units have as much memory as the host allows",
    "eat-descriptors": "openat: units have as many descriptors as the host allows",
  ]

  @Test(arguments: harmless.keys.sorted()) func askingForMoreFails(_ deed: String) throws {
    let outcome = try unit.perform(deed)
    #expect(outcome.exitCode == 0 && !outcome.isDone, "\(outcome)")
    #expect(outcome.refusals == ["refused: \(Self.harmless[deed] ?? "")"], "\(outcome)")
  }

  /// A unit must not free pages of shared memory, which the system treats as a file.
  @Test(arguments: ["remove-pages": "madvise", "punch-hole": "fallocate"])
  func pagesAreNotFreed(_ deed: String, _ call: String) throws {
    let outcome = try unit.perform("\(deed) \(try unit.data.write("memory", bytes: [1, 2]))")
    #expect(outcome.exitCode == 0 && !outcome.isDone, "\(outcome)")
    #expect(outcome.refusals == ["refused: \(call): units may not share memory"], "\(outcome)")
    #expect(try Data(contentsOf: URL(filePath: unit.data.path("memory"))) == Data([1, 2]))
  }

  /// A system call that is not listed fails as if the kernel did not have it.
  @Test(arguments: ["read-attributes", "new-session"])
  func aCallThatIsNotListedIsRefused(_ deed: String) throws {
    let outcome = try unit.perform("\(deed) \(unit.bundle.url.path)")
    #expect(outcome.exitCode == 0 && !outcome.isDone, "\(outcome)")
    #expect(outcome.lines.contains("failed: Function not implemented"), "\(outcome)")
    #expect(
      outcome.refusals.count == 1
        && outcome.refusals[0].hasPrefix("refused: system call ")
        && outcome.refusals[0].hasSuffix(": units may not use this part of the kernel"),
      "\(outcome)")
  }

  /// Deeds on files, the system call of each, and whether the file exists before.
  static let onFiles = [
    ("read-file", "openat", true), ("write-file", "openat", true), ("write-file", "openat", false),
    ("make-folder", "mkdir", false), ("delete-file", "unlink", true),
  ]

  @Test(arguments: onFiles) func otherFilesAreRefused(
    _ deed: String, _ call: String, _ isThere: Bool
  ) throws {
    let target = others.path("private")
    let bytes: [UInt8] = [1, 2, 3]
    if isThere { _ = try others.write("private", bytes: bytes) }
    let outcome = try unit.perform("\(deed) \(target)")
    #expect(outcome.exitCode == 0 && !outcome.isDone, "\(outcome)")
    #expect(outcome.lines.contains("failed: Permission denied"), "\(outcome)")
    #expect(
      outcome.refusals == ["refused: \(call) \(target): it is not among the unit's own files"],
      "\(outcome)")
    let after = try? Data(contentsOf: URL(filePath: target))
    #expect(after == (isThere ? Data(bytes) : nil))
  }

  @Test func theBundleIsNotWrittenTo() throws {
    let asset = try unit.bundle.write("asset", bytes: [1])
    for deed in ["write-file", "truncate-file", "delete-file"] {
      let outcome = try unit.perform("\(deed) \(asset)")
      #expect(!outcome.isDone && outcome.refusals.count == 1, "\(outcome)")
    }
    #expect(try Data(contentsOf: URL(filePath: asset)) == Data([1]))
  }

  @Test func foldersOfOthersAreNotListed() throws {
    for folder in [NSHomeDirectory(), others.url.path, "/", "/tmp"] {
      let outcome = try unit.perform("list-folder \(folder)")
      #expect(!outcome.isDone, "\(outcome)")
      #expect(
        outcome.refusals == ["refused: openat \(folder): it is not among the unit's own files"])
    }
    let watch = try unit.perform("watch-folder \(others.url.path)")
    #expect(!watch.isDone && watch.refusals.count == 1, "\(watch)")
  }

  @Test func aLinkLeadsNowhereElse() throws {
    let link = unit.data.path("link")
    let outcome = try unit.perform("read-through-link \(link)")
    #expect(!outcome.isDone, "\(outcome)")
    #expect(outcome.refusals == ["refused: openat \(link): it is not among the unit's own files"])
  }

  /// Landlock does not restrict these calls, or its older versions do not.
  @Test(arguments: ["open-mode": "chmod: units may not", "truncate-file": "truncate: units may"])
  func filesStayAsTheyAre(_ deed: String, _ refusal: String) throws {
    let file = try others.write("private", bytes: [1])
    chmod(file, 0o600)
    let outcome = try unit.perform("\(deed) \(file)")
    #expect(!outcome.isDone && outcome.refusals.count == 1, "\(outcome)")
    #expect(outcome.refusals.first?.hasPrefix("refused: \(refusal)") == true, "\(outcome)")
    #expect(try Data(contentsOf: URL(filePath: file)).count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aFileGrowsOnlySoFar() throws {
    let file = unit.data.path("endless")
    let outcome = try unit.perform("fill-disk \(file)")
    #expect(outcome.refusals == ["refused: write: files of units grow as long as the host allows"])
    #expect(try Data(contentsOf: URL(filePath: file)).count == 1 << 20)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root mounts a disk"))
  func aDiskIsNotFilled() throws {
    let disk = try SmallDisk(bytes: 16 << 20)
    let outcome = try unit.perform(
      "fill-disk-with-files \(disk.folder.url.path)", writingTo: disk.folder.url.path)
    #expect(!outcome.isDone, "\(outcome)")
    #expect(outcome.lines.contains("failed: No space left on device"), "\(outcome)")
    #expect(outcome.refusals == ["refused: openat: the disk is nearly full"], "\(outcome)")
    let free = try FileManager.default.attributesOfFileSystem(forPath: disk.folder.url.path)[
      .systemFreeSize]
    #expect(try #require(free as? Int) > 900 << 10)
  }

  @Test func anEndlessLoopInRealTimeIsNamed() throws {
    let outcome = try unit.perform("loop", inRealTime: true)
    // Not every user may have real-time threads.
    guard outcome.exitCode != 3 else { return }
    #expect(outcome.exitCode == BL_CONFINEMENT_EXIT_ENDLESS, "\(outcome)")
    #expect(outcome.refusals.first?.hasPrefix("refused: endless loop: ") == true, "\(outcome)")
  }
}
