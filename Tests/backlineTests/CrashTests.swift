import BacklineTestSupport
import Foundation
import Testing

/// A crash is reported with the unit, its function, file and line.
@Suite(.disabled(if: isSanitized, "a sanitizer reports crashes its own way")) struct CrashTests {
  /// Returns a bundle whose unit writes to an invalid address when it renders.
  private func bundle(in folder: TemporaryFolder) throws -> (path: String, line: Int) {
    let call = "float level = 0.01f"
    var line = 0
    let bundle = try TestBundle(
      in: folder.url.path,
      code: { code in
        let before = code.components(separatedBy: call)[0]
        line = before.components(separatedBy: "\n").count
        return code.replacing(call, with: "*(volatile int *)8 = 1; " + call)
      })
    return (bundle.path, line)
  }

  private func input(in folder: TemporaryFolder) throws -> String {
    try SoundFile.noise(frames: 4800, channels: 2).write(folder.path("in.wav"))
  }

  @Test func inTheProgramsOwnProcess() throws {
    let folder = try TemporaryFolder()
    let (path, line) = try bundle(in: folder)
    let result = try Program.run(
      "render", "--unit", path, "--process", "host", try input(in: folder), folder.path("out.wav"))
    #expect(result.status == -1)
    #expect(
      result.errors.contains(
        "error: Template crashed: Segmentation fault while rendering it, in process at "),
      "\(result.errors)")
    #expect(result.errors.contains("test-unit.c:\(line); in a process of its own"))
    #expect(result.errors.contains("frame: Template+0x"))
  }

  @Test func sigtermEndsAUnitThatHangs() async throws {
    let folder = try TemporaryFolder()
    let mark = folder.path("it-hangs")
    let bundle = try TestBundle(
      in: folder.url.path,
      code: {
        "#include <fcntl.h>\n"
          + $0.replacing(
            "float level = 0.01f",
            with:
              "creat(\"\(mark)\", 0600); for (volatile int i = 0; i >= 0;) {} float level = 0.01f")
      })
    let program = try Program([
      "render", "--unit", bundle.path, "--process", "host", try input(in: folder),
      folder.path("out.wav"),
    ])
    try await eventually("it hangs") { FileManager.default.fileExists(atPath: mark) }
    program.send(SIGTERM)
    #expect(program.waitForEnd() == 128 + SIGTERM)
  }

  @Test func inAProcessOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let (path, line) = try bundle(in: folder)
    let result = try Program.run(
      "render", "--unit", path, try input(in: folder), folder.path("out.wav"))
    #expect(result.status == 1)
    #expect(
      result.errors.contains(
        "error: unit unit: it crashed: Segmentation fault while rendering Template, in Template+0x"),
      "\(result.errors)")
    #expect(
      result.errors.contains(": process at ") && result.errors.contains("test-unit.c:\(line)"))
  }
}
