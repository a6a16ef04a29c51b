import BacklineTestSupport
import Foundation
import Testing

/// backline new.
struct NewCommandTests {
  @Test(arguments: ["effect", "instrument", "generator", "music-effect", "midi"], ["c", "c++"])
  func aNewUnitBuildsAndPassesItsTest(kind: String, language: String) throws {
    let folder = try TemporaryFolder()
    let made = try WritingAUnitTests.shell(
      "backline new \(kind) 'My first' --language \(language) --manufacturer Acme", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("/myfi/Acme"))
    let unbuilt = try WritingAUnitTests.shell("backline show './My first.unit'", in: folder)
    #expect(unbuilt.status == 2 && unbuilt.errors.contains("make in that folder builds it"))
    let missing = try WritingAUnitTests.shell("backline show ./Your.unit", in: folder)
    #expect(missing.errors.contains("“./Your.unit” cannot be used: there is no such bundle\n"))
    let tested = try WritingAUnitTests.shell("make -C 'My first.unit' test", in: folder)
    #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
    #expect(tested.output.contains("My first: passed") && !tested.errors.contains("warning"))
    let shown = try WritingAUnitTests.shell("backline show './My first.unit'", in: folder)
    #expect(shown.status == 0, "\(shown.errors)")
    let validated = try WritingAUnitTests.shell("backline validate './My first.unit'", in: folder)
    #expect(validated.status == 0, "\(validated.output)\(validated.errors)")
    #expect(shown.output.contains("My first   ") && shown.output.contains("by Example"))
  }

  @Test func aUnitThatHangsFailsItsTest() throws {
    let folder = try TemporaryFolder()
    #expect(try WritingAUnitTests.shell("backline new effect Stuck", in: folder).status == 0)
    let file = URL(fileURLWithPath: folder.path("Stuck.unit/unit.c"))
    let source = try String(contentsOf: file, encoding: .utf8)
    let stuck = source.replacing(/\nstatic void process\((?s:.)*?\{\n/) { match in
      "\(match.output)    for (volatile int turn = 0; turn == 0;) {\n    }\n"
    }
    try #require(stuck != source)
    try Data(stuck.utf8).write(to: file)
    let tested = try WritingAUnitTests.shell("make -C Stuck.unit test TIME_LIMIT=1", in: folder)
    #expect(tested.status != 0 && tested.output.contains("FAILED: time is up"), "\(tested.output)")
  }

  @Test func aBundleIsFoundFromWithinAndByItsNearestName() throws {
    let folder = try TemporaryFolder()
    let bundle = try TestBundle("Ring", in: folder.url.path)
    for line in [
      "cd Ring.unit && backline show .", "cd Ring.unit && backline show ./",
      "mkdir Ring.unit/sub && cd Ring.unit/sub && backline show ..",
      "backline show Ring.unit", "backline show ./Ring.unit/", "backline show \(bundle.path)",
    ] {
      let shown = try WritingAUnitTests.shell(line, in: folder)
      #expect(
        shown.status == 0 && shown.output.contains("aufx/tmpl/Demo"), "\(line): \(shown.errors)")
    }
    let validated = try WritingAUnitTests.shell(
      "cd Ring.unit && backline validate . --check component", in: folder)
    #expect(validated.status == 0, "\(validated.output)\(validated.errors)")
    for command in ["show", "play", "validate"] {
      let missing = try WritingAUnitTests.shell("backline \(command) ./Rnig.unit", in: folder)
      #expect(missing.status != 0)
      #expect(
        missing.errors.contains("there is no such bundle; did you mean “Ring.unit”?"),
        "\(command): \(missing.errors)")
    }
    let elsewhere = try WritingAUnitTests.shell("backline show .", in: folder)
    #expect(elsewhere.status == 2 && elsewhere.errors.contains("folder"), "\(elsewhere.errors)")
  }

  @Test func whatIsThereStays() throws {
    let folder = try TemporaryFolder()
    let line = "backline new effect Ring"
    #expect(try WritingAUnitTests.shell(line, in: folder).status == 0)
    let file = URL(fileURLWithPath: folder.path("Ring.unit/unit.c"))
    try Data("mine".utf8).write(to: file)
    let again = try WritingAUnitTests.shell(line, in: folder)
    #expect(again.status == 1 && again.errors.contains("Ring.unit: it exists already"))
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
