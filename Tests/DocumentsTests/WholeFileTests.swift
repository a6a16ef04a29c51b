import Documents
import Foundation
import Testing

@Suite struct WholeFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("backline-whole-file-\(UUID().uuidString)").path

  init() throws { try Folder.make("\(folder)/a/b") }

  @Test func replacesWhatALinkLeadsTo() throws {
    let (file, link) = ("\(folder)/a/b/file", "\(folder)/link")
    try WholeFile.write(Array("old".utf8), to: file)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a/b/file")
    try WholeFile.write(Array("new".utf8), to: link)
    #expect(try WholeFile.read(file, limit: 10) == Array("new".utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a/b/file")
    #expect(Folder.names(in: "\(folder)/a/b") == ["file"])
  }

  /// The file of which nothing may be made beside is, for root, one of the system's.
  @Test func whatCannotBeReplacedIsFoundOutBefore() throws {
    let file = "\(folder)/a/b/file"
    try WholeFile.write(Array("old".utf8), to: file)
    #expect(throws: Never.self) { try WholeFile.checkReplaceable(file) }
    #expect(throws: FileError.self) { try WholeFile.checkReplaceable("\(folder)/none") }
    chmod("\(folder)/a/b", 0o555)
    defer { chmod("\(folder)/a/b", 0o755) }
    let barred = getuid() == 0 ? "/proc/sys/kernel/hostname" : file
    #expect(throws: FileError.self) { try WholeFile.checkReplaceable(barred) }
  }

  private func facts(_ path: String) -> stat {
    var facts = stat()
    lstat(path, &facts)
    return facts
  }

  @Test(arguments: [0o600, 0o640, 0o666, 0o755, 0o444, 0o4751], [false, true])
  func aReplacedFileKeepsItsModeAndOwner(mode: mode_t, isLink: Bool) throws {
    let file = "\(folder)/a/b/file"
    let path = isLink ? "\(folder)/link" : file
    if isLink { symlink("a/b/file", path) }
    try WholeFile.write(Array("old".utf8), to: file)
    // Only root can give a file to somebody else.
    let (owner, group): (uid_t, gid_t) = getuid() == 0 ? (65_533, 65_532) : (getuid(), getgid())
    #expect(chown(file, owner, group) == 0 && chmod(file, mode) == 0)
    try WholeFile.write(Array("new".utf8), to: path)
    #expect(facts(file).st_mode == S_IFREG | mode)
    #expect(facts(file).st_uid == owner && facts(file).st_gid == group)
    #expect(facts(path).st_mode & S_IFMT == (isLink ? S_IFLNK : S_IFREG))
  }

  @Test func aNewFileHasTheUsualMode() throws {
    let usual = "\(folder)/usual"
    close(open(usual, O_WRONLY | O_CREAT, 0o666))
    try WholeFile.write([1], to: "\(folder)/new")
    #expect(facts("\(folder)/new").st_mode == facts(usual).st_mode)
  }

  @Test func saysWhyItCannotReadOrWrite() {
    func reason(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return ""
    }
    #expect(
      reason { try WholeFile.write([1], to: "\(folder)/no/file") }
        == "\(folder)/no/file: No such file or directory")
    #expect(reason { try WholeFile.write([1], to: folder) } == "\(folder): Is a directory")
    #expect(
      reason { _ = try WholeFile.read("\(folder)/x", limit: 1) }
        == "\(folder)/x: cannot be read: No such file or directory")
    #expect(Folder.names(in: folder) == ["a"])
  }

  @Test func aFolderIsOneWritersAtATime() async throws {
    let counter = "\(folder)/counter"
    try WholeFile.write(Array("0".utf8), to: counter)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [folder] in
          for _ in 0..<25 {
            try? Folder.locked(folder) {
              let text = String(decoding: try WholeFile.read(counter, limit: 9), as: UTF8.self)
              try WholeFile.write(Array("\((Int(text) ?? 0) + 1)".utf8), to: counter)
            }
          }
        }
      }
    }
    #expect(try WholeFile.read(counter, limit: 9) == Array("200".utf8))
  }

  @Test func writersAtOneTimeLeaveOneOfTheirFiles() async throws {
    let file = "\(folder)/a/file"
    let size = 200_000
    let failures = await withTaskGroup(of: Int.self) { group in
      for letter in UInt8(ascii: "a")..<UInt8(ascii: "i") {
        group.addTask {
          (0..<25).count { _ in
            do {
              try WholeFile.write(Array(repeating: letter, count: size), to: file, durably: false)
              let read = try WholeFile.read(file, limit: 2 * size)
              return read != Array(repeating: read.first ?? 0, count: size)
            } catch {
              return true
            }
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
    #expect(Folder.names(in: "\(folder)/a") == ["b", "file"])
  }

  @Test func whatIsNotPutInItsPlaceLeavesNothing() throws {
    let path = "\(folder)/a/prepared"
    _ = try WholeFile.Prepared(Array("never".utf8), path: path)
    #expect(Folder.names(in: "\(folder)/a") == ["b"])
    let file = try WholeFile.Prepared(Array("later".utf8), path: path)
    #expect(!WholeFile.isThere(path))
    try file.putInPlace()
    #expect(try WholeFile.read(path, limit: 9) == Array("later".utf8))
    #expect(Folder.names(in: "\(folder)/a") == ["b", "prepared"])
  }
}
