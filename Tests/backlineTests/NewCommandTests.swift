import BacklineTestSupport
import Foundation
import Testing

/// backline new.
struct NewCommandTests {
  @Test(arguments: ["effect", "instrument", "generator", "music-effect"], ["c", "c++"])
  func aNewUnitBuildsAndPassesItsTest(kind: String, language: String) throws {
    let folder = try TemporaryFolder()
    let made = try WritingAUnitTests.shell(
      "backline new \(kind) 'My first' --language \(language) --manufacturer Acme", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("/myfi/Acme"))
    let unbuilt = try WritingAUnitTests.shell("backline show './My first.unit'", in: folder)
    #expect(unbuilt.status == 2 && unbuilt.errors.contains("make in that folder builds it"))
    let missing = try WritingAUnitTests.shell("backline show ./Your.unit", in: folder)
    #expect(missing.errors.hasSuffix("/Your.unit:1:1: error: there is no such bundle\n"))
    #expect(!missing.errors.hasPrefix("error:"))
    let tested = try WritingAUnitTests.shell("make -C 'My first.unit' test", in: folder)
    #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
    #expect(tested.output.contains("My first: passed") && !tested.errors.contains("warning"))
    let shown = try WritingAUnitTests.shell("backline show './My first.unit'", in: folder)
    #expect(shown.status == 0, "\(shown.errors)")
    let validated = try WritingAUnitTests.shell("backline validate './My first.unit'", in: folder)
    #expect(validated.status == 0, "\(validated.output)\(validated.errors)")
    #expect(shown.output.contains("My first   ") && shown.output.contains("by Example"))
  }

  @Test func whatIsThereStays() throws {
    let folder = try TemporaryFolder()
    let line = "backline new effect Ring"
    #expect(try WritingAUnitTests.shell(line, in: folder).status == 0)
    let file = URL(fileURLWithPath: folder.path("Ring.unit/unit.c"))
    try Data("mine".utf8).write(to: file)
    let again = try WritingAUnitTests.shell(line, in: folder)
    #expect(again.status == 1 && again.errors.contains("Ring.unit: it is there already"))
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.filter { !$0.hasPrefix(".cache") } == ["Ring.unit"])
  }

  @Test(arguments: [
    ["effekt", "Ring"], ["effect", "../Ring"], ["effect", ""],
    ["effect", "Ring", "--subtype", "rin"],
    ["effect", "Ring", "--manufacturer", "*"], ["effect", "Ring", "--language", "rust"],
    ["effect", "Ring", "--manufacturer-name", "A \"quote\""],
  ])
  func wrongNamesAreRefused(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let program = try Program(["new"] + arguments + ["--folder", folder.url.path])
    #expect(program.waitForEnd() == 64 && !program.errors.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }
}
