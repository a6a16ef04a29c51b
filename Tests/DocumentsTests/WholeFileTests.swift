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
              return read.count != size || Set(read).count != 1
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
}
